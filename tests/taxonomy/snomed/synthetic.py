"""A made-up release of any size, in the form of a real one: to measure loading and looking up.

Names are invented words; only the identifiers of SNOMED CT's own metadata (what a synonym is, what
IS-A is) are real, without which no reader could read it. It holds no SNOMED CT content.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from taxonomy.snomed import files
from taxonomy.snomed.loading import IS_A, NAME, PREFERRED, SYNONYM

Ids = NDArray[np.int64]

MODULE, PRIMITIVE, ANY_CASE = 900000000000207008, 900000000000074008, 900000000000448009
INFERRED, SOME, ACCEPTABLE = 900000000000011006, 900000000000451002, 900000000000549004
#: An invented reference set and attribute.
#: A namespace that is not assigned, so that nothing invented meets the real.
NOBODY = 9_999_999
CONCEPT, DESCRIPTION, RELATIONSHIP = range(3)


def make(items: Ids, part: int) -> Ids:
    """Return identifiers for item numbers; their check digits are no right ones."""
    return ((items * 10_000_000 + NOBODY) * 100 + 10 + part) * 10


REFSET, ATTRIBUTE = make(np.array([1, 2]), CONCEPT).tolist()
DATE = "20260315"
LANGUAGES = ("nl", "fr", "en")
#: Of a description's identifiers and so on, so that no two parts share one.
FIRST = 10_000
#: Share of concepts with a second and a third parent, and how far up the tree parents are: gives
#: 4.7 million pairs of ancestors for 356,370 concepts, as the Belgian edition has.
SECOND, THIRD = 0.46, 0.12
DEPTH, STEEP = 0.285, 1.87
_SYLLABLES = (
    "ba", "ber", "dal", "de", "dor", "fa", "fil", "gor", "ha", "hel", "jo", "ka", "kel", "la",
    "lum", "ma", "mer", "na", "nor", "o", "pal", "per", "qui", "ra", "rol", "sa", "sil", "ta",
    "tor", "u", "va", "vel", "wi", "xo", "ya", "zan",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Size:
    """How much of each part; as the Belgian edition has it."""

    concepts: int = 356_370
    descriptions: int = 656_287
    relationships: int = 1_200_000


def write_release(folder: Path, size: Size, *, seed: int = 1) -> None:
    """Write a release; the same seed gives the same one."""
    random = Random(seed)  # noqa: S311 (nothing secret)
    concepts = make(np.arange(FIRST, FIRST + size.concepts), CONCEPT)
    terminology, refset = folder / "Snapshot/Terminology", folder / "Snapshot/Refset/Language"
    for place in (terminology, refset):
        place.mkdir(parents=True, exist_ok=True)
    path = terminology / f"sct2_Concept_Snapshot_SYN_{DATE}.txt"
    _write(path, files.CONCEPT, _concepts(concepts))
    more = np.sort(_some(random, size.descriptions - size.concepts, size.concepts))
    described = np.concatenate([np.arange(size.concepts), more])
    pks = make(np.arange(FIRST, FIRST + len(described)), DESCRIPTION)
    for at, language in enumerate(LANGUAGES):
        mine = slice(at, None, len(LANGUAGES))
        _write(
            terminology / f"sct2_Description_Snapshot-{language}_SYN_{DATE}.txt",
            files.DESCRIPTION,
            _descriptions(pks[mine], concepts[described[mine]], language, random),
        )
        _write(
            refset / f"der2_cRefset_LanguageSnapshot-{language}_SYN_{DATE}.txt",
            files.LANGUAGE,
            _members(pks[mine], random),
        )
    _write(
        terminology / f"sct2_Relationship_Snapshot_SYN_{DATE}.txt",
        files.RELATIONSHIP,
        _relationships(concepts, size.relationships, seed),
    )


def _write(path: Path, header: Sequence[str], rows: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("\t".join(header) + "\r\n")
        file.writelines(f"{row}\r\n" for row in rows)


def _some(random: Random, count: int, below: int) -> NDArray[np.int64]:
    return np.array([random.randrange(below) for _ in range(max(0, count))], dtype=np.int64)


def _concepts(concepts: Ids) -> Iterator[str]:
    for pk in concepts:
        yield f"{pk}\t{DATE}\t1\t{MODULE}\t{PRIMITIVE}"


def _descriptions(pks: Ids, concepts: Ids, language: str, random: Random) -> Iterator[str]:
    for pk, concept in zip(pks.tolist(), concepts.tolist(), strict=True):
        kind = NAME if random.random() < 0.2 else SYNONYM
        tag = " (bevinding)" if kind == NAME else ""
        yield (
            f"{pk}\t{DATE}\t1\t{MODULE}\t{concept}\t{language}\t{kind}\t{name(random)}{tag}\t{ANY_CASE}"
        )


def _members(pks: Ids, random: Random) -> Iterator[str]:
    for pk in pks.tolist():
        member = uuid.UUID(int=random.getrandbits(128), version=4)
        degree = PREFERRED if random.random() < 0.6 else ACCEPTABLE
        yield f"{member}\t{DATE}\t1\t{MODULE}\t{REFSET}\t{pk}\t{degree}"


def _relationships(concepts: Ids, count: int, seed: int) -> Iterator[str]:
    children, parents = tree(len(concepts), seed)
    pks = make(np.arange(FIRST, FIRST + max(count, len(children))), RELATIONSHIP).tolist()
    end = f"{INFERRED}\t{SOME}"
    at = 0
    for child, parent in zip(concepts[children].tolist(), concepts[parents].tolist(), strict=True):
        yield f"{pks[at]}\t{DATE}\t1\t{MODULE}\t{child}\t{parent}\t0\t{IS_A}\t{end}"
        at += 1
    others = np.random.default_rng(seed).integers(0, len(concepts), (max(0, count - at), 2))
    for source, target in concepts[others].tolist():
        yield f"{pks[at]}\t{DATE}\t1\t{MODULE}\t{source}\t{target}\t1\t{ATTRIBUTE}\t{end}"
        at += 1


def tree(size: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return children and parents of a hierarchy: parents always come before their children."""
    random = np.random.default_rng(seed)
    children, parents = [], []
    for share in (1.0, SECOND, THIRD):
        child = np.arange(1, size)
        child = child[random.random(len(child)) < share]
        children.append(child)
        parents.append((child * DEPTH * random.beta(1.0, STEEP, len(child))).astype(np.int64))
    pairs = np.unique(np.concatenate(children) * size + np.concatenate(parents))
    return pairs // size, pairs % size


def name(random: Random) -> str:
    """Return an invented term of one to five words."""
    words = random.choices((1, 2, 3, 4, 5), (3, 5, 4, 2, 1))[0]
    return " ".join(
        "".join(random.choices(_SYLLABLES, k=random.choice((2, 3, 4)))) for _ in range(words)
    )
