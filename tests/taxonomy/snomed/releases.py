"""The sample release, whole or with lines changed."""

import shutil
from collections.abc import Callable
from pathlib import Path

from taxonomy.models import SnomedRelease
from taxonomy.snomed.loading import load_release

SAMPLE = Path(__file__).parents[3] / "taxonomy" / "snomed" / "sample"
CONCEPT = "sct2_Concept_Snapshot"
NL = "sct2_Description_Snapshot-nl"
RELATIONSHIP = "sct2_Relationship_Snapshot"
LANGUAGE = "der2_cRefset_LanguageSnapshot-nl"

#: Concepts of the sample.
FINDING, PROCEDURE = 1029999999104, 1039999999102
FEVER, MOUNTAIN, WINTER, ALPINE = 1049999999107, 1059999999105, 1069999999108, 1079999999100
RASH, RINSE, PHOTO = 1089999999103, 1099999999101, 1109999999105

Change = Callable[[list[bytes]], list[bytes]]


def copy_of_sample(folder: Path) -> Path:
    shutil.copytree(SAMPLE, folder / "release")
    return folder / "release"


def file_of(release: Path, name: str) -> Path:
    (found,) = release.rglob(f"{name}*.txt")
    return found


def change(release: Path, name: str, edit: Change) -> Path:
    """Edit the lines of a file; the header is the first."""
    path = file_of(release, name)
    path.write_bytes(b"".join(edit(path.read_bytes().splitlines(keepends=True))))
    return path


def replace(release: Path, name: str, line: int, old: str, new: bytes | str) -> str:
    """Replace a text in one line; return how a mistake there begins."""
    content = new if isinstance(new, bytes) else new.encode()

    def edit(lines: list[bytes]) -> list[bytes]:
        assert old.encode() in lines[line - 1]
        lines[line - 1] = lines[line - 1].replace(old.encode(), content, 1)
        return lines

    path = change(release, name, edit)
    return f"{path.name}:{line}: "


def load(release: Path = SAMPLE, **wish: object) -> SnomedRelease:
    return load_release(release, **wish)[0]  # type: ignore[arg-type]
