"""The files of a release: which there are, and their lines, checked, many at a time.

RF2 is tab-separated UTF-8 with a header and without quoting. Files are read in batches, so that
memory does not grow with the release. What is wrong is said by file and line, all of it at once.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from zol.errors import BadInput

#: Mistakes shown; a file in the wrong encoding has one in every line.
SHOWN = 100


@dataclass(frozen=True, slots=True, order=True)
class FileMistake:
    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}" if self.line else f"{self.file}: {self.what}"


class ReleaseRefused(BadInput):
    """A release with mistakes: nothing of it was loaded."""

    def __init__(self, shown: Iterable[FileMistake], total: int) -> None:
        self.shown = tuple(shown)
        self.total = total
        lines = [str(mistake) for mistake in self.shown]
        if total > len(lines):
            lines.append(f"… and {total - len(lines):,} more.")
        super().__init__("\n".join(lines))


class Mistakes:
    """Collects mistakes; keeps the first ones and counts the rest."""

    def __init__(self) -> None:
        self.first: list[FileMistake] = []
        self.total = 0

    def add(self, file: str, line: int, what: str) -> None:
        self.total += 1
        if len(self.first) < SHOWN:
            self.first.append(FileMistake(file, line, what))

    def refuse_if_any(self) -> None:
        if self.total:
            raise ReleaseRefused(self.first, self.total)


BATCH = 20_000
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


@dataclass(frozen=True, slots=True)
class ReleaseFiles:
    """The snapshot files of one release folder."""

    folder: Path
    concepts: tuple[Path, ...]
    descriptions: tuple[Path, ...]
    definitions: tuple[Path, ...]
    relationships: tuple[Path, ...]
    language_refsets: tuple[Path, ...]

    @property
    def all(self) -> tuple[Path, ...]:
        return (
            *self.concepts, *self.language_refsets, *self.descriptions, *self.definitions,
            *self.relationships,
        )  # fmt: skip

    @property
    def date(self) -> str:
        """The date in the files' names, such as "20260315"; "" when they have none."""
        return max((m[1] for path in self.all if (m := _DATE.search(path.name))), default="")

    @property
    def size(self) -> int:
        return sum(path.stat().st_size for path in self.all)

    def name(self, path: Path) -> str:
        return str(path.relative_to(self.folder))

    def fingerprint(self, *more: str) -> str:
        """Return what is the same only for the same content, whatever the folder is called."""
        digest = hashlib.blake2b("|".join(more).encode(), digest_size=32)
        for path in self.all:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "blake2b").digest())
        return digest.hexdigest()


def find_files(folder: Path, languages: Collection[str]) -> ReleaseFiles:
    """Return the snapshot files under a folder; of descriptions only the languages asked for."""
    if not folder.is_dir():
        raise ReleaseRefused([FileMistake(str(folder), 0, "is no folder.")], 1)

    def named(pattern: str) -> tuple[Path, ...]:
        return tuple(sorted(p for p in folder.rglob(f"{pattern}*.txt") if p.is_file()))

    def spoken(pattern: str) -> tuple[Path, ...]:
        found = named(pattern)
        return tuple(p for p in found if not languages or language_of(p) in ("", *languages))

    files = ReleaseFiles(
        folder,
        concepts=named("*sct2_Concept_Snapshot"),
        descriptions=spoken("*sct2_Description_Snapshot"),
        definitions=spoken("*sct2_TextDefinition_Snapshot"),
        relationships=named("*sct2_Relationship_Snapshot"),
        language_refsets=spoken("*der2_cRefset_Language*Snapshot"),
    )
    _refuse_incomplete(files, languages)
    return files


def language_of(path: Path) -> str:
    """Return the language in a file's name; "" when it has none."""
    found = _LANGUAGE.search(path.name)
    return found[1].lower() if found else ""


def _refuse_incomplete(files: ReleaseFiles, languages: Collection[str]) -> None:
    mistakes = Mistakes()
    spoken = f" in {', '.join(sorted(languages))}" if languages else ""
    wanted = (
        (files.concepts, "sct2_Concept_Snapshot*.txt", ""),
        (files.descriptions, "sct2_Description_Snapshot-<language>*.txt", spoken),
        (files.relationships, "sct2_Relationship_Snapshot*.txt", ""),
    )
    for found, pattern, where in wanted:
        if not found:
            mistakes.add(
                str(files.folder), 0, f"has no {pattern}{where}: this is no RF2 Snapshot release."
            )
    mistakes.refuse_if_any()


@dataclass(frozen=True, slots=True)
class Batch:
    """Lines of a file that have the right number of columns, column by column."""

    file: str
    lines: tuple[int, ...]
    columns: Mapping[str, Sequence[str]]

    def __len__(self) -> int:
        return len(self.lines)


Step = Callable[[int], object]


def batches(
    path: Path, header: Sequence[str], name: str, mistakes: Mistakes, step: Step
) -> Iterator[Batch]:
    """Yield a file's lines; what is no line of such a file is reported and left out."""
    with path.open("rb") as file:
        first = file.readline()
        step(len(first))
        found = first.decode("utf-8-sig", "replace").rstrip("\r\n").split("\t")
        if [column.casefold() for column in found] != [column.casefold() for column in header]:
            mistakes.add(name, 1, f"the columns should be {' '.join(header)}.")
            return
        at = 2
        while raw := list(islice(file, BATCH)):
            yield _batch(raw, at, header, name, mistakes)
            step(sum(map(len, raw)))
            at += len(raw)


def _batch(
    raw: list[bytes], at: int, header: Sequence[str], name: str, mistakes: Mistakes
) -> Batch:
    lines, rows = [], []
    for line, text in enumerate(_decoded(raw, at, name, mistakes), start=at):
        if text is None:
            continue
        row = text.rstrip("\r\n").split("\t")
        if len(row) != len(header):
            mistakes.add(name, line, f"{len(row)} columns instead of {len(header)}.")
            continue
        lines.append(line)
        rows.append(row)
    columns = list(zip(*rows, strict=True)) or [()] * len(header)
    return Batch(name, tuple(lines), dict(zip(header, columns, strict=True)))


def _decoded(raw: list[bytes], at: int, name: str, mistakes: Mistakes) -> Iterator[str | None]:
    for line, text in enumerate(raw, start=at):
        if b"\0" in text:
            mistakes.add(name, line, "has a character that is no text (NUL).")
            yield None
            continue
        try:
            yield text.decode("utf-8")
        except UnicodeDecodeError as error:
            mistakes.add(name, line, f"is not UTF-8 (byte {error.start + 1}).")
            yield None
