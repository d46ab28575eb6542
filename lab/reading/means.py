"""Make the means that vectors are centred by, once other layers are in force.

    .venv/bin/python -m lab.reading.means HOSPITAL FILE

Of every sixth default example as the search reads it, and of the passages of a loaded hospital;
what `heard` says is the package's own and stays. Afterwards read all pages anew
(`manage.py reindex`). Beside FILE stands `pieces.npz`: mean and main directions of the states of
the examples' pieces.
"""

from __future__ import annotations

import argparse
import csv
import os
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")

import numpy as np

from lab.paths import INTENT_EXAMPLES

EVERY = 6

if TYPE_CHECKING:
    from retrieval.embedding.e5.encoder import Encoder


def examples() -> list[str]:
    """Return every sixth default example that has no blank."""
    with INTENT_EXAMPLES.open(encoding="utf-8") as file:
        return [row["text"] for row in csv.DictReader(file) if "{" not in row["text"]][::EVERY]


def narrowing(encoder: Encoder) -> dict[str, np.ndarray]:
    """Return the mean of the states of the examples' pieces, and the directions they differ in."""
    states = np.concatenate([encoder.half_read(f"query: {each}")[1][3:-1] for each in examples()])
    mean = states.mean(axis=0)
    _, _, directions = np.linalg.svd((states - mean).T @ (states - mean))
    return {"mean": mean, "directions": directions[:128].T.astype(np.float16)}


def main() -> None:
    """Read the command line and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hospital")
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    import django  # noqa: PLC0415

    from zol.devservices.services import prepare  # noqa: PLC0415

    prepare(["ask"])
    django.setup()
    from retrieval.analysis import IndexedChunk  # noqa: PLC0415 - after Django is set up
    from retrieval.embedding.e5 import E5Embedder  # noqa: PLC0415
    from retrieval.embedding.e5.encoder import Encoder  # noqa: PLC0415
    from retrieval.index.writing import written  # noqa: PLC0415
    from retrieval.models import Chunk  # noqa: PLC0415
    from zol.commands import chosen_hospital  # noqa: PLC0415
    from zol.tenancy import serving  # noqa: PLC0415

    encoder, zero = Encoder(), np.zeros(384, dtype=np.float32)
    asked = [encoder.trained_vector(encoder.half_read(f"query: {each}")[1]) for each in examples()]
    with serving(chosen_hospital(options.hospital)):
        chunks = Chunk.objects.select_related("document").order_by("pk")
        vars(embedder := E5Embedder())["_means"] = {"passages": zero}
        whole = embedder.embed_passages([written(IndexedChunk.of(each)) for each in chunks])
    made = {
        name: np.mean(rows, axis=0) for name, rows in (("questions", asked), ("passages", whole))
    }
    np.savez(options.file, heard=np.load(options.file)["heard"], **made)
    np.savez_compressed(options.file.with_name("pieces.npz"), **narrowing(encoder))


if __name__ == "__main__":
    main()
