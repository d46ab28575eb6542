"""A made-up release of any size, in the form of a real one: to measure loading and looking up.

Names are invented words; only the identifiers of SNOMED CT's own metadata (what a synonym is, what
IS-A is) are real, without which no reader could read it. It holds no SNOMED CT content.
"""

import uuid
from collections.abc import Iterable, Iterator, Sequence
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
    count = size.descriptions - size.concepts
    more = sorted(random.randrange(size.concepts) for _ in range(count))
    described = concepts[np.concatenate([np.arange(size.concepts), np.array(more, dtype=int)])]
    pks = make(np.arange(FIRST, FIRST + len(described)), DESCRIPTION)

    def write(kind: str, place: str, header: Sequence[str], rows: Iterable[str]) -> None:
        path = folder / "Snapshot" / place / f"{kind}_SYN_{DATE}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(f"{row}\r\n" for row in ("\t".join(header), *rows))

    rows = (f"{pk}\t{DATE}\t1\t{MODULE}\t{PRIMITIVE}" for pk in concepts)
    write("sct2_Concept_Snapshot", "Terminology", files.CONCEPT, rows)
    for at, language in enumerate(LANGUAGES):
        mine = slice(at, None, len(LANGUAGES))
        words = _descriptions(pks[mine], described[mine], language, random)
        kind = f"sct2_Description_Snapshot-{language}"
        write(kind, "Terminology", files.DESCRIPTION, words)
        kind = f"der2_cRefset_LanguageSnapshot-{language}"
        write(kind, "Refset/Language", files.LANGUAGE, _members(pks[mine], random))
    relations = _relationships(concepts, size.relationships, seed)
    write("sct2_Relationship_Snapshot", "Terminology", files.RELATIONSHIP, relations)


def _descriptions(pks: Ids, concepts: Ids, language: str, random: Random) -> Iterator[str]:
    for pk, concept in zip(pks.tolist(), concepts.tolist(), strict=True):
        kind, tag = (NAME, " (bevinding)") if random.random() < 0.2 else (SYNONYM, "")
        own = f"{concept}\t{language}\t{kind}\t{name(random)}{tag}\t{ANY_CASE}"
        yield f"{pk}\t{DATE}\t1\t{MODULE}\t{own}"


def _members(pks: Ids, random: Random) -> Iterator[str]:
    for pk in pks.tolist():
        member = uuid.UUID(int=random.getrandbits(128), version=4)
        degree = PREFERRED if random.random() < 0.6 else ACCEPTABLE
        yield f"{member}\t{DATE}\t1\t{MODULE}\t{REFSET}\t{pk}\t{degree}"


def _relationships(concepts: Ids, count: int, seed: int) -> Iterator[str]:
    """Yield the hierarchy, and other relations of invented concepts up to so many."""
    children, parents = tree(len(concepts), seed)
    left = max(0, count - len(children))
    others = np.random.default_rng(seed).integers(0, len(concepts), (left, 2))
    pairs = [*zip(concepts[children], concepts[parents], strict=True), *concepts[others]]
    pks = make(np.arange(FIRST, FIRST + len(pairs)), RELATIONSHIP)
    for at, (pk, (source, target)) in enumerate(zip(pks, pairs, strict=True)):
        group, kind = (0, IS_A) if at < len(children) else (1, ATTRIBUTE)
        own = f"{source}\t{target}\t{group}\t{kind}\t{INFERRED}\t{SOME}"
        yield f"{pk}\t{DATE}\t1\t{MODULE}\t{own}"


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
