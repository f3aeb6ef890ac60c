"""Writes a fitted network as the integers that the engine runs."""

from __future__ import annotations

import torch
from torch import Tensor

from sayso.engine.reader.network import POINT, Weights
from training.network import Network

_ONE = 1 << POINT
_LARGEST = (1 << 9) - 1  # of a weight; see the bounds in sayso.engine.reader.network


def exported(network: Network, made: dict[str, str]) -> Weights:
    """The weights of a network, rounded."""
    shape = network.shape
    table = network.table.weight.detach()
    scale = float(table.abs().max()) / 127
    with torch.no_grad():
        wide = network.wide.weight.permute(2, 0, 1)  # place × out × in
        # What a word at distance `place` adds: the state at t sums wide[k] of the word at t + k - half.
        word = torch.cat([wide[k] @ network.enter.weight for k in range(shape.window)]).T
        word_bias = torch.cat([wide[k] @ network.enter.bias for k in range(shape.window)])
        flags = torch.cat([wide[k] @ network.flags.weight for k in range(shape.window)]).T
        narrow = network.narrow.weight.permute(2, 1, 0).reshape(3 * shape.width, shape.width)
        return Weights(
            acts=shape.acts, slots=shape.slots, classes=shape.classes,
            size=shape.size, width=shape.width, window=shape.window, scale=scale,
            table=(table / scale).round().to(torch.int8).numpy().tobytes(),
            word=_weights(word), word_bias=_sums(word_bias), flags=_sums(flags), wide_bias=_sums(network.wide.bias),
            narrow=_weights(narrow), narrow_bias=_sums(network.narrow.bias),
            gather=_weights(network.gather.weight.T), gather_bias=_sums(network.gather.bias),
            context=_sums(network.context.weight.T),
            action=_weights(network.acts.weight.T), action_bias=_sums(network.acts.bias),
            bend=_weights(network.bend.weight.T), bend_bias=_sums(network.bend.bias),
            tag=_weights(network.tags.weight.T), tag_bias=_sums(network.tags.bias),
            made=made,
        )  # fmt: skip


def _weights(values: Tensor) -> bytes:
    """What is multiplied with states: fixed point, bounded."""
    return _bytes((values * _ONE).round().clamp(-_LARGEST, _LARGEST))


def _sums(values: Tensor) -> bytes:
    """What is added to products: twice as many bits after the point."""
    return _bytes((values * _ONE * _ONE).round())


def _bytes(values: Tensor) -> bytes:
    return values.to(torch.int32).contiguous().numpy().astype("<i4").tobytes()
