"""The network of the learned reader, in torch: the same layers that `sayso.engine.reader.network` runs on integers.

A word is the mean of its letter runs' vectors. A wide convolution and a narrow one make a state for each word; their
maximum and mean, with the flags of the message, tell the act; the act's state bends the words' states before they are
tagged. A tag is 0 outside of values, 1 + slot where a value begins, 1 + slots + slot where it goes on, and a value goes
on only where it began.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from sayso.engine.reader.features import CONTEXT_FLAGS, OWN_FLAGS, Features, runs_of

_NEVER = -1e4


class Shape(NamedTuple):
    """The sizes of a network."""

    acts: tuple[str, ...]
    slots: tuple[str, ...]
    classes: tuple[str, ...]  # the word classes that are flags
    rows: int = 1 << 15  # of the table of letter runs
    size: int = 64  # of a word's vector
    width: int = 64  # of a word's state
    window: int = 7  # words that the wide convolution sees


class Inputs(NamedTuple):
    """A batch as tensors."""

    runs: Tensor  # rows of the table, of each distinct word
    run_starts: Tensor
    words: Tensor  # for each message and place the number of its word; 0 is no word
    flags: Tensor  # for each message, place and flag whether it is set
    context: Tensor
    mask: Tensor


class Said(NamedTuple):
    """What a network says of a batch: scores, or probabilities."""

    acts: Tensor
    tags: Tensor  # of each word
    breaks: Tensor  # whether a clause begins at each word


class Network(nn.Module):
    """Acts, tags and clause boundaries of a batch of messages."""

    def __init__(self, shape: Shape, dropout: float = 0.3) -> None:
        super().__init__()
        self.shape = shape
        width, tags = shape.width, 1 + 2 * len(shape.slots)
        self.table = nn.EmbeddingBag(shape.rows, shape.size, mode="mean", sparse=True)
        nn.init.normal_(self.table.weight, 0, 0.3)
        self.enter = nn.Linear(shape.size, width)
        self.flags = nn.Linear(OWN_FLAGS + len(shape.classes), width, bias=False)
        self.wide = nn.Conv1d(width, width, shape.window, padding=shape.window // 2)
        self.narrow = nn.Conv1d(width, width, 3, padding=1)
        self.context = nn.Linear(CONTEXT_FLAGS, width, bias=False)
        self.gather = nn.Linear(2 * width, width)
        self.acts = nn.Linear(width, len(shape.acts))
        self.bend = nn.Linear(width, width)
        self.tags = nn.Linear(width, tags + 1)  # the last one tells whether a clause begins
        self.dropout = nn.Dropout(dropout)

    def forward(self, inputs: Inputs) -> Said:
        """The scores of the acts, of the tags of each word, and of a clause beginning at each word."""
        vectors = self.table(inputs.runs, inputs.run_starts)
        vectors = torch.cat([vectors.new_zeros(1, vectors.shape[1]), vectors])[inputs.words]
        mask = inputs.mask.unsqueeze(-1)
        states = (self.enter(self.dropout(vectors)) + self.flags(inputs.flags)) * mask
        states = functional.relu(self.wide(states.transpose(1, 2)).transpose(1, 2)) * mask
        near = self.narrow(self.dropout(states).transpose(1, 2)).transpose(1, 2)
        states = (states + functional.relu(near)) * mask
        most = states.masked_fill(~mask, -1e9).max(1).values
        mean = states.sum(1) / inputs.mask.sum(1, keepdim=True)
        whole = self.gather(self.dropout(torch.cat([most, mean], 1))) + self.context(inputs.context)
        whole = functional.relu(whole)
        bent = functional.relu(states + self.bend(whole).unsqueeze(1))
        scores = self.tags(self.dropout(bent))
        return Said(self.acts(self.dropout(whole)), scores[..., :-1], scores[..., -1])

    def sequence_loss(self, scores: Tensor, shares: Tensor, mask: Tensor) -> Tensor:
        """The mean negative log likelihood of taggings; `shares` is how likely each word has each tag.

        A tagging is scored word by word, so the shares of the tags of each word are all that the loss depends on:
        with shares of 0 and 1 it is the loss of one tagging, with others that of the taggings they come from.
        """
        path = (scores * shares).sum(2) * mask
        return (self.weight_of_taggings(scores, mask) - path.sum(1)).mean()

    def weight_of_taggings(self, scores: Tensor, mask: Tensor) -> Tensor:
        """For each message the log of the summed weight of all taggings that are possible."""
        count = len(self.shape.slots)
        total = torch.cat([scores[:, 0, : count + 1], scores.new_full((len(scores), count), _NEVER)], 1)
        for at in range(1, scores.shape[1]):
            any_ = torch.logsumexp(total, 1, keepdim=True).expand(-1, count + 1)
            going_on = torch.logaddexp(total[:, 1 : count + 1], total[:, count + 1 :])
            onward = torch.cat([any_, going_on], 1) + scores[:, at]
            total = torch.where(mask[:, at].unsqueeze(1), onward, total)
        return torch.logsumexp(total, 1)

    def tag_shares(self, scores: Tensor, mask: Tensor) -> Tensor:
        """How likely each word has each tag, among all taggings that are possible."""
        with torch.enable_grad():
            free = scores.detach().requires_grad_()
            (found,) = torch.autograd.grad(self.weight_of_taggings(free, mask).sum(), free)
        return found


def inputs_of(batch: Sequence[Features], shape: Shape) -> Inputs:
    """The tensors of a batch."""
    counts = [len(one.words) for one in batch]
    longest, width = max(counts), OWN_FLAGS + len(shape.classes)
    numbers: dict[str, int] = {}
    words = torch.zeros(len(batch), longest, dtype=torch.long)
    said = [numbers.setdefault(word, len(numbers) + 1) for one in batch for word in one.words]
    words.view(-1)[places_of(counts)] = torch.tensor(said)
    flags = torch.zeros(len(batch), longest, width)
    lit = [(row * longest + at) * width + flag for row, one in enumerate(batch)
           for at, here in enumerate(one.flags) for flag in here]  # fmt: skip
    flags.view(-1)[torch.tensor(lit, dtype=torch.long)] = 1.0
    context = torch.zeros(len(batch), CONTEXT_FLAGS)
    lit = [row * CONTEXT_FLAGS + flag for row, one in enumerate(batch) for flag in one.context]
    context.view(-1)[torch.tensor(lit, dtype=torch.long)] = 1.0
    runs = [_runs(word, shape.rows) for word in numbers]
    starts = torch.tensor([0, *(one.numel() for one in runs[:-1])]).cumsum(0)
    flat = torch.cat(runs)
    return Inputs(flat, starts, words, flags, context, words > 0)


def places_of(counts: Sequence[int]) -> Tensor:
    """Where the words of messages stand in a table of a row each, all rows as long as the longest message."""
    longest = max(counts)
    return torch.tensor([row * longest + at for row, count in enumerate(counts) for at in range(count)])


@cache
def _runs(word: str, rows: int) -> Tensor:
    return torch.tensor(runs_of(word, rows))
