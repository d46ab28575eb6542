"""What `train.py` fits, and how it becomes one graph; needs torch (`requirements.txt`)."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import graph
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from train import DANGERS, SEED

WIDTH, HEADS, UPPER = 384, 12, (9, 10, 11)
#: Epochs, and the highest rate of learning.
STEPS = {"upper": (3, 1e-4), "small": (10, 1e-3), "vector": (25, 2e-3)}
#: Pieces that are read together.
TOGETHER = 1_200
#: Ordinary questions of an epoch.
ORDINARY = 3_000
#: Networks over the vector.
NETWORKS = 3


class AttentionPool(nn.Module):
    """What four questions find among the pieces, and their mean."""

    def __init__(self, width: int, asked: int = 4, hidden: int = 64) -> None:
        super().__init__()
        self.q, self.o = nn.Linear(width, asked), nn.Linear(width * (asked + 1), hidden)
        self.c, self.d = nn.Linear(hidden, len(DANGERS)), nn.Dropout(0.2)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return the score of each danger."""
        share = self.q(x).masked_fill(~mask[..., None], -1e4).softmax(1)
        found = torch.einsum("btq,btw->bqw", share, x).flatten(1)
        mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        hidden = torch.tanh(self.o(self.d(torch.cat([found, mean], 1))))
        scores: Tensor = self.c(self.d(hidden))
        return scores


class Small(nn.Module):
    """Two narrow layers over the states."""

    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.n, self.i, self.d = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, width), nn.Dropout(0.1)
        layer = nn.TransformerEncoderLayer(
            width, 4, 2 * width, 0.1, "gelu", batch_first=True, norm_first=True
        )
        self.e = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.p = AttentionPool(width)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return the score of each danger."""
        read = self.e(self.d(self.i(self.n(x))), src_key_padding_mask=~mask)
        scores: Tensor = self.p(read, mask)
        return scores


class Upper(nn.Module):
    """The encoder's own upper layers, to be trained further."""

    def __init__(self, stored: Any) -> None:
        super().__init__()
        self.L = nn.ModuleList(
            nn.ModuleDict({
                "qkv": _linear(stored, *(f"l{layer}.{each}" for each in "qkv")),
                **{name: _linear(stored, f"l{layer}.{name}") for name in ("ao", "fi", "fo")},
                **{name: _norm(stored, f"l{layer}.{name}") for name in ("aln", "oln")},
            })
            for layer in UPPER
        )  # fmt: skip
        self.d, self.p = nn.Dropout(0.1), AttentionPool(WIDTH)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return the score of each danger."""
        texts, pieces, _ = x.shape
        hidden = torch.zeros(texts, 1, 1, pieces).masked_fill(~mask[:, None, None], -1e4)
        for layer in self.L:
            parts = layer["qkv"](x).view(texts, pieces, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
            heard = functional.scaled_dot_product_attention(
                *parts, attn_mask=hidden, dropout_p=0.1 if self.training else 0.0
            )
            heard = heard.transpose(1, 2).reshape(texts, pieces, WIDTH)
            x = layer["aln"](x + self.d(layer["ao"](heard)))
            x = layer["oln"](x + self.d(layer["fo"](functional.gelu(layer["fi"](x)))))
        scores: Tensor = self.p(x, mask)
        return scores


def _linear(stored: Any, *names: str) -> nn.Linear:
    weights = np.concatenate([stored[f"{name}.w"] for name in names])
    made = nn.Linear(weights.shape[1], weights.shape[0])
    made.weight.data = torch.tensor(weights)
    made.bias.data = torch.tensor(np.concatenate([stored[f"{name}.b"] for name in names]))
    return made


def _norm(stored: Any, name: str) -> nn.LayerNorm:
    made = nn.LayerNorm(WIDTH, eps=1e-12)
    made.weight.data = torch.tensor(stored[f"{name}.w"])
    made.bias.data = torch.tensor(stored[f"{name}.b"])
    return made


class MessageBatches:
    """What there is to learn from, in batches of like length."""

    def __init__(self, work: Path, held: set[str]) -> None:
        self.texts = json.loads((work / "texts.json").read_text(encoding="utf-8"))
        self.vectors = np.load(work / "vectors.npy")
        self._states = np.load(work / "states.npy", mmap_mode="r")
        self._ends = [0, *np.load(work / "ends.npy").tolist()]
        self.wanted = torch.tensor([DANGERS.index(one["expect"]) for one in self.texts])
        self._used = [at for at, one in enumerate(self.texts) if one["source"] not in held]

    def epoch(self, chance: random.Random) -> list[int]:
        """Return the places of an epoch: half of the mixtures, some of what is ordinary."""
        ordinary = [at for at in self._used if self.texts[at]["source"] == "ordinary"]
        told = [at for at in self._used if self.texts[at]["source"] != "ordinary"]
        some = chance.sample(ordinary, min(ORDINARY, len(ordinary)))
        return some + [at for at in told if not self.texts[at]["is_mixed"] or chance.random() < 0.5]

    def batches(self, places: list[int], chance: random.Random) -> list[list[int]]:
        """Return places that are read together, in any order."""
        made: list[list[int]] = [[]]
        for at in sorted(places, key=lambda at: self._length(at) + 6 * chance.random()):
            longest = max(map(self._length, (*made[-1], at)))
            if made[-1] and (len(made[-1]) + 1) * longest > TOGETHER:
                made.append([])
            made[-1].append(at)
        chance.shuffle(made)
        return made

    def load(self, places: list[int]) -> tuple[Tensor, Tensor]:
        """Return the states of some messages, and which of them are there."""
        longest = max(map(self._length, places))
        rows = np.zeros((len(places), longest, WIDTH), dtype=np.float32)
        mask = np.zeros((len(places), longest), dtype=bool)
        for row, at in enumerate(places):
            rows[row, : self._length(at)] = self._states[self._ends[at] : self._ends[at + 1]]
            mask[row, : self._length(at)] = True
        return torch.from_numpy(rows), torch.from_numpy(mask)

    def _length(self, at: int) -> int:
        return int(self._ends[at + 1] - self._ends[at])


def fit(work: Path, part: str, held: set[str]) -> None:
    """Fit a part, going on after the last epoch that was finished."""
    lessons, chance = MessageBatches(work, held), random.Random(SEED)  # noqa: S311
    torch.manual_seed(SEED)
    if part == "vector":
        torch.save(_over_vectors(lessons, chance), work / "vector.pt")
        return
    model = Small() if part == "small" else Upper(np.load(work / "upper.npz"))
    epochs, rate = STEPS[part]
    steps = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    kept, begun = work / f"{part}.pt", 0
    if kept.is_file():
        found = torch.load(kept)
        begun = found["epochs"]
        model.load_state_dict(found["model"])
        steps.load_state_dict(found["steps"])
    for epoch in range(begun, epochs):
        model.train()
        batches = lessons.batches(lessons.epoch(chance), chance)
        for at, places in enumerate(batches):
            done = (epoch + at / len(batches)) / epochs
            steps.param_groups[0]["lr"] = rate * min(1.0, done / 0.06) * max(0.02, 1 - done)
            _learn(model(*lessons.load(places)), lessons.wanted[places], steps, model)
        saved = {"epochs": epoch + 1, "model": model.state_dict(), "steps": steps.state_dict()}
        torch.save(saved, kept)
        print(part, epoch + 1, "of", epochs)


def _learn(scores: Tensor, wanted: Tensor, steps: torch.optim.Optimizer, model: nn.Module) -> None:
    loss = functional.cross_entropy(scores, wanted, label_smoothing=0.03)
    steps.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    steps.step()


def _over_vectors(lessons: MessageBatches, chance: random.Random) -> dict[str, Any]:
    places = lessons.epoch(chance)
    mean = lessons.vectors[places].mean(axis=0)
    scale = np.float32(1 / (lessons.vectors[places] - mean).std())
    rows, wanted = torch.tensor((lessons.vectors[places] - mean) * scale), lessons.wanted[places]
    made = []
    epochs, rate = STEPS["vector"]
    for _ in range(NETWORKS):
        model = nn.Sequential(
            nn.Linear(WIDTH, 128), nn.GELU(), nn.Dropout(0.3), nn.Linear(128, len(DANGERS))
        )
        steps = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.05)
        for _ in range(epochs):
            for some in torch.randperm(len(rows)).split(128):
                _learn(model(rows[some]), wanted[some], steps, model)
        made.append(model.state_dict())
    return {"mean": torch.tensor(mean), "scale": torch.tensor(scale), "networks": made}


def ship(work: Path, file: Path) -> None:
    """Write the parts as one graph."""
    upper, small = (torch.load(work / f"{part}.pt")["model"] for part in ("upper", "small"))
    graph.write(upper, small, torch.load(work / "vector.pt"), file)
