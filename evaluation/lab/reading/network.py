"""The head that reads a question together with a statement; needs torch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from evaluation.lab.reading.lessons import PRIOR, TrainingList

WIDTH, HEADS, LAYERS, WIDE = 128, 4, 2, 256
#: Pairs that are read together, of like length.
TOGETHER = 32


class Head(nn.Module):
    """Narrowed states of both sides, and what words and likeness say, to a score."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.enter = nn.Linear(WIDTH + 1, WIDTH)
        #: The question, and what a statement's passage is about, its heading, itself.
        self.sides = nn.Embedding(4, WIDTH)
        self.drop = nn.Dropout(0.1)
        layer = nn.TransformerEncoderLayer(
            WIDTH, HEADS, WIDE, 0.1, "gelu", batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
        self.left = nn.LayerNorm(3 * WIDTH)
        self.out = nn.Sequential(
            nn.Linear(3 * WIDTH, WIDTH), nn.GELU(), nn.Dropout(0.1), nn.Linear(WIDTH, 1)
        )
        self.prior = nn.Parameter(torch.tensor(PRIOR))
        #: What nothing scores: beside the head alone, and beside head and prior.
        self.nothing = nn.Parameter(torch.tensor([0.0, 5.0]))

    def forward(
        self, asked: Tensor, asked_mask: Tensor, said: Tensor, said_mask: Tensor, sorts: Tensor
    ) -> Tensor:
        """Return a score for each pair."""
        near = torch.bmm(asked, said.transpose(1, 2))
        both_mask = asked_mask[:, :, None] & said_mask[:, None, :]
        near = near.masked_fill(~both_mask, -1.0)
        best = torch.cat([near.amax(2), near.amax(1)], 1)
        both = torch.cat([self.norm(asked), self.norm(said)], 1)
        mask = torch.cat([asked_mask, said_mask], 1)
        read = self.enter(torch.cat([both, 4 * best[..., None]], 2))
        first = torch.zeros(asked.shape[:2], dtype=torch.long)
        read = self.drop(read + self.sides(torch.cat([first, sorts + 1], 1)))
        read = self.layers(read, src_key_padding_mask=~mask)
        size = asked.shape[1]
        mine, own = read[:, :size], read[:, size:]
        itself = (said_mask & (sorts == 2))[..., None]
        kept = asked_mask[..., None]
        pooled = [
            (mine * kept).sum(1) / kept.sum(1).clamp(min=1),
            (own * itself).sum(1) / itself.sum(1).clamp(min=1),
            own.masked_fill(~itself, -1e4).amax(1).clamp(min=-1e3),
        ]
        score: Tensor = self.out(self.left(torch.cat(pooled, 1)))
        return score[:, 0]


def scores(model: Head, lists: Sequence[TrainingList]) -> list[Tensor]:
    """Return what the head makes of every statement of some lists."""
    pairs = [
        (each.asked, said, sorts)
        for each in lists
        for said, sorts in zip(each.said, each.sorts, strict=True)
    ]
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at][1]))
    groups = (order[at : at + TOGETHER] for at in range(0, len(order), TOGETHER))
    found = torch.cat([model(*_padded([pairs[at] for at in group])) for group in groups])
    back = torch.empty(len(order), dtype=torch.long)
    back[torch.tensor(order)] = torch.arange(len(order))
    return list(found[back].split([len(each.said) for each in lists]))


def _padded(pairs: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> tuple[Tensor, ...]:
    size = len(pairs)
    longest, most = (max(len(each[side]) for each in pairs) for side in (0, 1))
    asked, said = (
        np.zeros((size, longest, WIDTH), np.float32),
        np.zeros((size, most, WIDTH), np.float32),
    )
    asked_mask, said_mask = np.zeros((size, longest), bool), np.zeros((size, most), bool)
    sorts = np.full((size, most), 2)
    for at, (question, statement, kinds) in enumerate(pairs):
        asked[at, : len(question)], asked_mask[at, : len(question)] = question, True
        said[at, : len(statement)], said_mask[at, : len(statement)] = statement, True
        sorts[at, : len(kinds)] = kinds
    return tuple(map(torch.from_numpy, (asked, asked_mask, said, said_mask, sorts)))


def loss(model: Head, lists: Sequence[TrainingList]) -> Tensor:
    """Return what is lost by both and by the head alone; nothing is one more choice."""
    lost = []
    for each, own in zip(lists, scores(model, lists), strict=True):
        both = own + torch.from_numpy(each.prior) @ model.prior
        right = torch.tensor([each.right])
        for found, nothing, share in ((both, model.nothing[1], 1.0), (own, model.nothing[0], 0.5)):
            odds = torch.cat([found, nothing[None]])
            lost.append(share * nn.functional.cross_entropy(odds[None], right))
    return torch.stack(lost).sum() / len(lists)
