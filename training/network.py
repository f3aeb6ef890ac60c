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

    def forward(self, inputs: Inputs) -> tuple[Tensor, Tensor, Tensor]:
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
        return self.acts(self.dropout(whole)), scores[..., :-1], scores[..., -1]

    def sequence_loss(self, scores: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """The mean negative log likelihood of the tags of messages, among all that are possible."""
        count = len(self.shape.slots)
        path = scores.gather(2, tags.unsqueeze(2)).squeeze(2) * mask
        total = torch.cat([scores[:, 0, : count + 1], scores.new_full((len(scores), count), _NEVER)], 1)
        for at in range(1, scores.shape[1]):
            any_ = torch.logsumexp(total, 1, keepdim=True).expand(-1, count + 1)
            going_on = torch.logaddexp(total[:, 1 : count + 1], total[:, count + 1 :])
            onward = torch.cat([any_, going_on], 1) + scores[:, at]
            total = torch.where(mask[:, at].unsqueeze(1), onward, total)
        return (torch.logsumexp(total, 1) - path.sum(1)).mean()


def inputs_of(batch: Sequence[Features], shape: Shape) -> Inputs:
    """The tensors of a batch."""
    longest = max(len(one.words) for one in batch)
    numbers: dict[str, int] = {}
    words = torch.zeros(len(batch), longest, dtype=torch.long)
    flags = torch.zeros(len(batch), longest, OWN_FLAGS + len(shape.classes))
    context = torch.zeros(len(batch), CONTEXT_FLAGS)
    for row, one in enumerate(batch):
        count = len(one.words)
        words[row, :count] = torch.tensor([numbers.setdefault(word, len(numbers) + 1) for word in one.words])
        pairs = [(at, flag) for at, here in enumerate(one.flags) for flag in here]
        flags[row, [at for at, _ in pairs], [flag for _, flag in pairs]] = 1.0
        context[row, list(one.context)] = 1.0
    runs = [_runs(word, shape.rows) for word in numbers]
    starts = torch.tensor([0, *(len(one) for one in runs[:-1])]).cumsum(0)
    flat = torch.tensor([run for one in runs for run in one])
    return Inputs(flat, starts, words, flags, context, words > 0)


@cache
def _runs(word: str, rows: int) -> list[int]:
    return runs_of(word, rows)
