"""The Snapshot files of an RF2 release: tab-separated UTF-8 with a header and without quoting."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from zol.errors import BadInput

#: Bytes that are read at a time, so that memory does not grow with the release.
PIECE = 1 << 20
_LANGUAGE = re.compile(r"Snapshot-([a-z]{2})", re.IGNORECASE)
_DATE = re.compile(r"_(\d{8})(?:T\d+Z)?\.txt$")

COMPONENT = ("id", "effectiveTime", "active", "moduleId")
CONCEPT = (*COMPONENT, "definitionStatusId")
DESCRIPTION = (
    *COMPONENT, "conceptId", "languageCode", "typeId", "term", "caseSignificanceId",
)  # fmt: skip
RELATIONSHIP = (
    *COMPONENT, "sourceId", "destinationId", "relationshipGroup", "typeId",
    "characteristicTypeId", "modifierId",
)  # fmt: skip
LANGUAGE = (*COMPONENT, "refsetId", "referencedComponentId", "acceptabilityId")


class ReleaseRefused(BadInput):
    """A release with a mistake: nothing of it was loaded."""


@dataclass(frozen=True, slots=True)
class ReleaseFiles:
    """The snapshot files of one release folder."""

    folder: Path
    concepts: tuple[Path, ...]
    descriptions: tuple[Path, ...]
    relationships: tuple[Path, ...]
    language_refsets: tuple[Path, ...]

    @property
    def all(self) -> tuple[Path, ...]:
        return (
            *self.concepts, *self.language_refsets, *self.descriptions, *self.relationships,
        )  # fmt: skip

    @property
    def date(self) -> str:
        """The date in the names of the files, such as "20260315"; empty when they have none."""
        return max((m[1] for path in self.all if (m := _DATE.search(path.name))), default="")

    @property
    def size(self) -> int:
        return sum(path.stat().st_size for path in self.all)

    def fingerprint(self, *more: str) -> str:
        """Return a digest of the content, independent of the name of the folder."""
        digest = hashlib.blake2b("|".join(more).encode(), digest_size=32)
        for path in self.all:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "blake2b").digest())
        return digest.hexdigest()


def find_files(folder: Path, languages: Collection[str]) -> ReleaseFiles:
    """Return the snapshot files in a folder, with descriptions in the given languages only."""
    if not folder.is_dir():
        raise ReleaseRefused(f"{folder} is no folder.")

    def named(pattern: str) -> tuple[Path, ...]:
        return tuple(sorted(p for p in folder.rglob(f"{pattern}*.txt") if p.is_file()))

    def translated(pattern: str) -> tuple[Path, ...]:
        found = named(pattern)
        return tuple(p for p in found if not languages or language_of(p) in ("", *languages))

    files = ReleaseFiles(
        folder,
        concepts=named("*sct2_Concept_Snapshot"),
        descriptions=translated("*sct2_Description_Snapshot"),
        relationships=named("*sct2_Relationship_Snapshot"),
        language_refsets=translated("*der2_cRefset_Language*Snapshot"),
    )
    for part in ("concepts", "descriptions", "relationships"):
        if not getattr(files, part):
            of = f" in {', '.join(sorted(languages))}" if part == "descriptions" else ""
            raise ReleaseRefused(f"{folder} has no {part}{of}: it is no RF2 Snapshot release.")
    definitions = translated("*sct2_TextDefinition_Snapshot")
    return replace(files, descriptions=(*files.descriptions, *definitions))


def language_of(path: Path) -> str:
    """Return the language in the name of a file; empty when it has none."""
    found = _LANGUAGE.search(path.name)
    return found[1].lower() if found else ""


def lines_of(
    path: Path, header: Sequence[str], step: Callable[[int], object]
) -> Iterator[list[bytes]]:
    """Yield the lines below the header in batches; refuse a file with other columns."""
    with path.open("rb") as file:
        first = file.readline()
        step(len(first))
        columns = first.decode("utf-8-sig", "replace").rstrip("\r\n").split("\t")
        if [column.casefold() for column in columns] != [column.casefold() for column in header]:
            raise ReleaseRefused(f"{path.name}:1: the columns should be {' '.join(header)}.")
        while lines := file.readlines(PIECE):
            yield [line.rstrip(b"\r\n") for line in lines]
            step(sum(map(len, lines)))
