"""Fits the network to examples: batches, augmentation, losses."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from sayso.engine.reader.features import Features
from sayso.engine.reader.sequence import tags_for
from training.examples import OUTSIDE, Example
from training.network import Network, Shape, inputs_of

NOTHING = "none"  # an example whose act is only known to be no tool
_MARK = 4  # the flag of a mark
_CAPITALS = (1, 2)
_MATCHES = (18, 19, 20, 21, 22)  # the flags that a misspelt word may lose
_BATCH = 128
_POOL = 16  # batches among which messages are sorted by length


def fit(
    examples: Sequence[Example], shape: Shape, *, epochs: int, seed: int, rate: float = 4e-3,
    told: Callable[[int, float, float, Network], None] | None = None,
) -> Network:  # fmt: skip
    """A network that was shown the examples so many times."""
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(mode=True)
    dice = random.Random(seed)
    network = Network(shape)
    dense = [value for name, value in network.named_parameters() if name != "table.weight"]
    optimisers = [
        torch.optim.SparseAdam([network.table.weight], lr=rate),
        torch.optim.AdamW(dense, lr=rate, weight_decay=0.02),
    ]
    steps = epochs * math.ceil(len(examples) / _BATCH)
    schedules = [torch.optim.lr_scheduler.OneCycleLR(one, rate, total_steps=steps + 1, pct_start=0.12,
                                                     cycle_momentum=False) for one in optimisers]  # fmt: skip
    for epoch in range(epochs):
        network.train()
        begun, total, count = time.monotonic(), 0.0, 0
        for chosen in _batches(examples, dice):
            loss = _loss(network, [augmented(one, dice) for one in chosen])
            for optimiser in optimisers:
                optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(dense, 1.0)
            for optimiser, schedule in zip(optimisers, schedules, strict=True):
                optimiser.step()
                schedule.step()
            total, count = total + loss.item(), count + 1
        if told is not None:
            told(epoch, total / count, time.monotonic() - begun, network)
    return network


def shape_of(examples: Sequence[Example], classes: tuple[str, ...], width: int = 64) -> Shape:
    """The shape of a network that can say what these examples say."""
    acts = tuple(sorted({one.act for one in examples if one.act} - {NOTHING}))
    slots = tuple(sorted({tag[2:] for one in examples for tag in one.tags or () if tag != OUTSIDE}))
    return Shape(acts, slots, classes, width=width)


def _batches(examples: Sequence[Example], dice: random.Random) -> list[list[Example]]:
    """Batches of messages of similar length, in random order."""
    order = list(examples)
    dice.shuffle(order)
    size = _BATCH * _POOL
    pools = (
        sorted(order[at : at + size], key=lambda one: len(one.features.words)) for at in range(0, len(order), size)
    )
    found = [pool[at : at + _BATCH] for pool in pools for at in range(0, len(pool), _BATCH)]
    dice.shuffle(found)
    return found


def _loss(network: Network, batch: Sequence[Example]) -> Tensor:
    inputs = inputs_of([one.features for one in batch], network.shape)
    acts, tags, breaks = network(inputs)
    numbers = tag_numbers(network.shape.slots)
    wanted = torch.zeros(inputs.words.shape, dtype=torch.long)
    begins = torch.full(inputs.words.shape, -1.0)
    for row, one in enumerate(batch):
        if one.tags is not None:
            wanted[row, : len(one.tags)] = torch.tensor([numbers[tag] for tag in one.tags])
        if one.breaks is not None:
            begins[row, : len(one.breaks)] = torch.tensor(one.breaks, dtype=torch.float)
    tagged = torch.tensor([one.tags is not None for one in batch])
    loss = _act_loss(network.shape.acts, acts, [one.act for one in batch])
    if tagged.any():
        loss = loss + 0.6 * network.sequence_loss(tags[tagged], wanted[tagged], inputs.mask[tagged])
    known = begins >= 0
    if known.any():
        loss = loss + functional.binary_cross_entropy_with_logits(
            breaks[known], begins[known], pos_weight=torch.tensor(8.0)
        )
    return loss


def tag_numbers(slots: Sequence[str]) -> dict[str, int]:
    """The numbers of the tags of these slots."""
    return {tag: number for number, tag in enumerate(tags_for(slots))}


def _act_loss(acts: Sequence[str], scores: Tensor, wanted: Sequence[str | None]) -> Tensor:
    """The loss of the acts; where only "no tool" is known, any mood of it counts."""
    logs = functional.log_softmax(scores, 1)
    nothing = [number for number, act in enumerate(acts) if act.startswith(NOTHING)]
    losses = [
        -torch.logsumexp(logs[row, nothing], 0) if act == NOTHING else -logs[row, acts.index(act)]
        for row, act in enumerate(wanted)
        if act is not None
    ]
    return torch.stack(losses).mean() if losses else scores.sum() * 0.0


def augmented(example: Example, dice: random.Random) -> Example:
    """The example as it might be typed on a phone: no capitals, no punctuation, slips of the finger."""
    words, flags = list(example.features.words), [list(one) for one in example.features.flags]
    tags, breaks = example.tags, example.breaks
    sloppy = dice.random()
    if sloppy < 0.35:
        flags = [[0 if flag in _CAPITALS else flag for flag in one] for one in flags]
    if sloppy < 0.25:
        kept = [at for at in range(len(words)) if not _may_go(at, words, flags, tags, breaks)] or [0]
        words, flags = [words[at] for at in kept], [flags[at] for at in kept]
        tags = [tags[at] for at in kept] if tags is not None else None
        breaks = [breaks[at] for at in kept] if breaks is not None else None
    for at, word in enumerate(words):
        if len(word) > 3 and dice.random() < 0.03:
            words[at] = _misspelt(word, dice)
            if dice.random() < 0.5:
                flags[at] = [flag for flag in flags[at] if flag not in _MATCHES]
    seen = Features(words, [tuple(one) for one in flags], example.features.context)
    return example._replace(features=seen, tags=tags, breaks=breaks)


def _may_go(
    at: int, words: list[str], flags: list[list[int]], tags: list[str] | None, breaks: list[int] | None
) -> bool:
    """Whether a mark may be left out: it is in no value, and no clause begins with it."""
    inside = (tags is not None and tags[at] != OUTSIDE) or (breaks is not None and bool(breaks[at]))
    return _MARK in flags[at] and words[at] != '"' and not inside


def _misspelt(word: str, dice: random.Random) -> str:
    at = dice.randrange(1, len(word) - 1)
    match dice.randrange(3):
        case 0:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case 1:
            return word[:at] + word[at + 1 :]
        case _:
            return word[:at] + word[at] + word[at:]
