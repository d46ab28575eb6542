"""Generator of an invented release of any size, to measure loading.

Only the identifiers of SNOMED CT's metadata (such as IS-A) are real, as the loader needs them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from taxonomy.snomed import files
from taxonomy.snomed.loading import IS_A, NAME, PREFERRED, SYNONYM

Ids = NDArray[np.int64]

MODULE, PRIMITIVE, ANY_CASE = 900000000000207008, 900000000000074008, 900000000000448009
INFERRED, SOME, ACCEPTABLE = 900000000000011006, 900000000000451002, 900000000000549004
#: A namespace that is not assigned, so that nothing invented meets the real.
NOBODY = 9_999_999
CONCEPT, DESCRIPTION, RELATIONSHIP = range(3)
DATE = "20260315"
LANGUAGES = ("nl", "fr", "en")
#: Share of concepts with a second and a third parent, and how far up the tree parents are: gives
#: 4.7 million pairs of ancestors for 356,370 concepts, as the Belgian edition has.
SECOND, THIRD = 0.46, 0.12
DEPTH, STEEP = 0.285, 1.87


def make(items: Ids, part: int) -> Ids:
    """Return identifiers for item numbers; their check digits are no right ones."""
    return ((items * 10_000_000 + NOBODY) * 100 + 10 + part) * 10


REFSET, ATTRIBUTE = make(np.array([1, 2]), CONCEPT).tolist()


@dataclass(frozen=True, slots=True)
class Size:
    """How much of each part; as the Belgian edition has it."""

    concepts: int = 356_370
    descriptions: int = 656_287
    relationships: int = 1_200_000


def write_release(folder: Path, size: Size, *, seed: int = 1) -> None:
    """Write a release; the same seed gives the same one."""
    random = np.random.default_rng(seed)
    concepts = make(np.arange(9, 9 + size.concepts), CONCEPT)
    more = np.sort(random.integers(0, size.concepts, size.descriptions - size.concepts))
    described = np.concatenate([concepts, concepts[more]]).tolist()
    children, parents = tree(size.concepts, random)
    others = random.integers(0, size.concepts, (max(0, size.relationships - len(children)), 2))

    def write(kind: str, place: str, header: Sequence[str], rows: Iterable[str]) -> None:
        path = folder / "Snapshot" / place / f"{kind}_SYN_{DATE}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(f"{row}\r\n" for row in ("\t".join(header), *rows))

    rows = (f"{pk}\t{DATE}\t1\t{MODULE}\t{PRIMITIVE}" for pk in concepts)
    write("sct2_Concept_Snapshot", "Terminology", files.CONCEPT, rows)
    pks = make(np.arange(9, 9 + len(described)), DESCRIPTION).tolist()
    for at, code in enumerate(LANGUAGES):
        mine = range(at, len(pks), len(LANGUAGES))
        rows = (
            f"{pks[n]}\t{DATE}\t1\t{MODULE}\t{described[n]}\t{code}\t{SYNONYM if n % 5 else NAME}"
            f"\tnaam {n}\t{ANY_CASE}"
            for n in mine
        )
        kind = f"sct2_Description_Snapshot-{code}"
        write(kind, "Terminology", files.DESCRIPTION, rows)
        rows = (
            f"{UUID(int=n, version=4)}\t{DATE}\t1\t{MODULE}\t{REFSET}\t{pks[n]}"
            f"\t{PREFERRED if n % 3 else ACCEPTABLE}"
            for n in mine
        )
        kind = f"der2_cRefset_LanguageSnapshot-{code}"
        write(kind, "Refset/Language", files.LANGUAGE, rows)
    pairs = [*zip(concepts[children], concepts[parents], strict=True), *concepts[others]]
    rows = (
        f"{pk}\t{DATE}\t1\t{MODULE}\t{source}\t{target}"
        f"\t{'0' if n < len(children) else '1'}\t{IS_A if n < len(children) else ATTRIBUTE}"
        f"\t{INFERRED}\t{SOME}"
        for n, (pk, (source, target)) in enumerate(
            zip(make(np.arange(9, 9 + len(pairs)), RELATIONSHIP), pairs, strict=True)
        )
    )
    write("sct2_Relationship_Snapshot", "Terminology", files.RELATIONSHIP, rows)


def tree(size: int, random: np.random.Generator) -> tuple[Ids, Ids]:
    """Return children and parents of a hierarchy: parents always come before their children."""
    children, parents = [], []
    for share in (1.0, SECOND, THIRD):
        child = np.arange(1, size)
        child = child[random.random(len(child)) < share]
        children.append(child)
        parents.append((child * DEPTH * random.beta(1.0, STEEP, len(child))).astype(np.int64))
    pairs = np.unique(np.concatenate(children) * size + np.concatenate(parents))
    return pairs // size, pairs % size
