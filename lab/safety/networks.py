"""What `train.py` fits, and how it becomes one graph; needs torch (`requirements.txt`)."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from lab.safety import graph
from lab.safety.train import DANGERS, SEED
from lab.upper import WIDTH, UpperLayers

#: Epochs, and the highest rate of learning.
STEPS = {"upper": (3, 1e-4), "small": (10, 1e-3), "vector": (25, 2e-3)}
#: Where it begins with what was shipped, and how much of what that has learned is seen again.
FURTHER, AGAIN = {"upper": (2, 5e-5), "small": (4, 4e-4)}, 0.4
#: What the specialties are found with.
SPECIALTY_ASKED, SPECIALTY_HIDDEN = 6, 192
#: The networks for them over the vector, and how often they see everything of an epoch.
SPECIALTY_NETWORKS, SPECIALTY_WIDE, SPECIALTY_EPOCHS = 3, 512, 6
#: The highest rate of what begins with nothing.
HEAD_RATE = 1e-3
#: Pieces that are read together.
TOGETHER = 1_200
#: Ordinary questions, words for complaints, and questions about pages, of an epoch at most.
SOME = {"ordinary": 3_000, "words": 4_000, "asked": 2_000}
#: What does not say whether it is an emergency.
UNTOLD = -100
#: Networks over the vector.
NETWORKS = 3


class AttentionPool(nn.Module):
    """What four questions find among the pieces, and their mean."""

    def __init__(self, width: int, told: int, asked: int = 4, hidden: int = 64) -> None:
        super().__init__()
        self.q, self.o = nn.Linear(width, asked), nn.Linear(width * (asked + 1), hidden)
        self.c, self.d = nn.Linear(hidden, told), nn.Dropout(0.2)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return the score of each of what may be told."""
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
        self.p = AttentionPool(width, len(DANGERS))

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return the score of each danger."""
        read = self.e(self.d(self.i(self.n(x))), src_key_padding_mask=~mask)
        scores: Tensor = self.p(read, mask)
        return scores


class Upper(UpperLayers):
    """The encoder's own upper layers, to be trained further, with what is read off them."""

    def __init__(self, stored: Any, specialties: int) -> None:
        super().__init__(stored)
        self.p = AttentionPool(WIDTH, len(DANGERS))
        self.s = AttentionPool(WIDTH, specialties, SPECIALTY_ASKED, SPECIALTY_HIDDEN)

    def forward(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the scores of each danger and of each specialty."""
        x = super().forward(x, mask)
        return self.p(x, mask), self.s(x, mask)


@dataclass(frozen=True)
class Further:
    """What to begin with, and what that has not learned: beginnings of the names of sources."""

    graph: Path | None = None
    new: tuple[str, ...] = ()


class MessageBatches:
    """What there is to learn from, in batches of like length."""

    def __init__(self, work: Path, held: tuple[str, ...], further: Further = Further()) -> None:
        self._further = further
        self.texts = json.loads((work / "texts.json").read_text(encoding="utf-8"))
        self.vectors = np.load(work / "vectors.npy")
        self._states = np.load(work / "states.npy", mmap_mode="r")
        self._ends = [0, *np.load(work / "ends.npy").tolist()]
        self.wanted = torch.tensor(
            [DANGERS.index(one["expect"]) if one["expect"] else UNTOLD for one in self.texts]
        )
        self.used = [at for at, one in enumerate(self.texts) if not one["source"].startswith(held)]
        self.specialties = sorted({to for at in self.used for to in self.texts[at]["leads"] or ()})

    def epoch(self, chance: random.Random) -> list[int]:
        """Return the places of an epoch: half of the mixtures, some of what there is much of."""
        some: list[int] = []
        share = AGAIN if self._further.graph else 1.0
        for source, most in SOME.items():
            found = [at for at in self.used if self.texts[at]["source"] == source]
            some += chance.sample(found, min(round(most * share), len(found)))
        told = [at for at in self.used if self.texts[at]["source"] not in SOME
                and self.texts[at]["goes_on"] is None]  # fmt: skip
        return some + [at for at in told if chance.random() < self._share(self.texts[at])]

    def _share(self, told: dict[str, Any]) -> float:
        is_known = self._further.graph and not told["source"].startswith(self._further.new)
        return (0.5 if told["is_mixed"] else 1.0) * (AGAIN if is_known else 1.0)

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

    def leads(self, places: list[int]) -> tuple[Tensor, Tensor]:
        """Return which of some messages say whom to see, and the share of each specialty."""
        said = [row for row, at in enumerate(places) if self.texts[at]["leads"] is not None]
        shares = torch.zeros(len(said), len(self.specialties))
        for row, of in enumerate(said):
            for name, share in self.texts[places[of]]["leads"].items():
                shares[row, self.specialties.index(name)] = share
        return torch.tensor(said, dtype=torch.long), shares

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


def fit(work: Path, part: str, held: tuple[str, ...], further: Further) -> None:
    """Fit a part, going on after the last epoch that was finished."""
    lessons, chance = MessageBatches(work, held, further), random.Random(SEED)  # noqa: S311
    torch.manual_seed(SEED)
    if part == "vector":
        torch.save(_over_vectors(lessons, chance), work / "vector.pt")
        return
    model = _begun(work, part, lessons.specialties, further.graph)
    epochs, rate = (FURTHER if further.graph else STEPS)[part]
    steps = _steps(model, rate)
    kept, begun = work / f"{part}.pt", 0
    if kept.is_file():
        found = torch.load(kept)
        begun = found["epochs"]
        model.load_state_dict(found["model"])
        steps.load_state_dict(found["steps"])
    for epoch in range(begun, epochs):
        model.train()
        places = lessons.epoch(chance)
        if part == "small":
            places = [at for at in places if lessons.wanted[at] != UNTOLD]
        batches = lessons.batches(places, chance)
        for at, places in enumerate(batches):
            done = (epoch + at / len(batches)) / epochs
            for group in steps.param_groups:
                group["lr"] = group["highest"] * min(1.0, done / 0.06) * max(0.02, 1 - done)
            _learn(_loss(model, places, lessons), steps, model)
        saved = {"epochs": epoch + 1, "model": model.state_dict(), "steps": steps.state_dict()}
        torch.save(saved, kept)
        print(part, epoch + 1, "of", epochs, flush=True)


def _begun(work: Path, part: str, specialties: list[str], shipped: Path | None) -> nn.Module:
    """Return a part as it begins: as it was shipped, where there is such a graph."""
    is_small = part == "small"
    model = Small() if is_small else Upper(np.load(work / "upper.npz"), len(specialties))
    if shipped:
        if graph.specialties_of(shipped) != specialties:
            raise SystemExit(f"{shipped} leads to other specialties than there are messages for.")
        weights = graph.read(shipped, part)
        model.load_state_dict({name: torch.tensor(each) for name, each in weights.items()})
    return model


def _steps(model: nn.Module, rate: float) -> torch.optim.Optimizer:
    """Return what learns: the pools, which begin with nothing, at a rate of their own."""
    pools = {id(each) for name, each in model.named_parameters() if name.startswith(("p.", "s."))}
    groups = [
        {
            "params": [each for each in model.parameters() if (id(each) in pools) is is_new],
            "highest": highest,
        }
        for is_new, highest in ((False, rate), (True, max(rate, HEAD_RATE)))
    ]
    return torch.optim.AdamW(groups, lr=rate, weight_decay=0.01)


def _loss(model: nn.Module, places: list[int], lessons: MessageBatches) -> Tensor:
    """Return how far a part is from what some messages tell."""
    scores, wanted = model(*lessons.load(places)), lessons.wanted[places]
    loss = torch.zeros(())
    if isinstance(model, Upper):
        scores, led = scores
        said, shares = lessons.leads(places)
        if len(said):
            loss = functional.cross_entropy(led[said], shares)
    if (wanted != UNTOLD).any():
        loss = loss + functional.cross_entropy(
            scores, wanted, label_smoothing=0.03, ignore_index=UNTOLD
        )
    return loss


def _learn(loss: Tensor, steps: torch.optim.Optimizer, model: nn.Module) -> None:
    steps.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    steps.step()


def _over_vectors(lessons: MessageBatches, chance: random.Random) -> dict[str, Any]:
    places = [at for at in lessons.epoch(chance) if lessons.wanted[at] != UNTOLD]
    mean = lessons.vectors[places].mean(axis=0)
    scale = np.float32(1 / (lessons.vectors[places] - mean).std())
    rows = torch.tensor((lessons.vectors - mean) * scale)
    dangers = functional.one_hot(lessons.wanted[places], len(DANGERS)).float()
    led = [at for _ in range(SPECIALTY_EPOCHS) for at in lessons.epoch(chance)]
    said, shares = lessons.leads(led)
    after = [at for at in lessons.used if lessons.texts[at]["goes_on"] is not None]
    goes_on = torch.tensor([int(lessons.texts[at]["goes_on"]) for at in after])
    return {
        "mean": torch.tensor(mean),
        "scale": torch.tensor(scale),
        "networks": [
            _network(rows[places], dangers, 128, 0.3, *STEPS["vector"]) for _ in range(NETWORKS)
        ],
        "specialties": [
            _network(rows[np.array(led)[said]], shares, SPECIALTY_WIDE, 0.5, 4, 2e-3)
            for _ in range(SPECIALTY_NETWORKS)
        ],
        "after": [
            _network(rows[after], functional.one_hot(goes_on, 2).float(), 32, 0.5, 40, 2e-3)
            for _ in range(NETWORKS)
        ],
    }


def _network(
    rows: Tensor, wanted: Tensor, hidden: int, drop: float, epochs: int, rate: float
) -> dict[str, Tensor]:
    """Return the weights of a network of one hidden layer."""
    model = nn.Sequential(
        nn.Linear(WIDTH, hidden), nn.GELU(), nn.Dropout(drop), nn.Linear(hidden, wanted.shape[1])
    )
    steps = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.05)
    for epoch in range(epochs):
        for group in steps.param_groups:
            group["lr"] = rate * (1 - epoch / epochs)
        for some in torch.randperm(len(rows)).split(128):
            _learn(functional.cross_entropy(model(rows[some]), wanted[some]), steps, model)
    return model.state_dict()


def ship(work: Path, file: Path, held: tuple[str, ...], further: Further) -> None:
    """Write the parts as one graph; what was not learned from is named as it was for `fit`.

    Parts that began with a shipped graph are the mean of what they were and what they became
    (Wortsman et al. 2022): better on what neither had seen than either.
    """
    upper, small = (torch.load(work / f"{part}.pt")["model"] for part in ("upper", "small"))
    if further.graph:
        upper = _blend(upper, graph.read(further.graph, "upper"))
        small = _blend(small, graph.read(further.graph, "small"))
    specialties = MessageBatches(work, held).specialties
    graph.write(upper, small, torch.load(work / "vector.pt"), specialties, file)


def _blend(new: Mapping[str, Tensor], shipped: Mapping[str, Any]) -> dict[str, Tensor]:
    return {name: (each + torch.tensor(shipped[name])) / 2 for name, each in new.items()}
