"""The encoder's upper layers, to be trained further on its states after layer 9; needs torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTH, HEADS, UPPER = 384, 12, (9, 10, 11)


class UpperLayers(nn.Module):
    """Layers of BERT (Devlin et al. 2019): states of the pieces of texts become others."""

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
        self.d = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Read (texts, pieces, width) on, with a mask of the pieces that are there."""
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
        return x


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
