"""Translations of pages in a pack: one JSON object on a line for each section and language."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial

from pydantic import TypeAdapter, ValidationError

from chat.models import PassageTranslation as Row
from chat.sources.translations import Translation, digest_of, flaws
from evaluation.packs.findings import NOWHERE, Changes, Findings, Place, lay_rows
from evaluation.packs.form import TRANSLATIONS
from evaluation.packs.tables import json_lines, numbered
from zol.models import Hospital


@dataclass(frozen=True, slots=True)
class TranslationRecord:
    """A section of a page in another language, and who read it."""

    page: str
    source: str
    language: str
    text: str
    heading: str = ""
    read_by: str = ""
    place: Place = field(default=NOWHERE, compare=False)

    @property
    def identity(self) -> tuple[str, str]:
        return digest_of(self.source), self.language

    @property
    def translation(self) -> Translation:
        return Translation(self.source, self.language, self.text, self.heading)


_LINE = TypeAdapter(TranslationRecord)


def read_translations(data: bytes, findings: Findings) -> Iterator[TranslationRecord]:
    """Give the translations of a file."""
    for place, line in numbered(data, TRANSLATIONS, findings):
        try:
            said = json.loads(line)
            yield _LINE.validate_python(said | {"place": place})
        except (ValidationError, ValueError, TypeError) as error:
            findings.wrong(place, f"No translation of a page: {error}")


def check_translations(
    records: Iterable[TranslationRecord], language: str, pages: Collection[str], findings: Findings
) -> None:
    """Note what is translated twice, of no page, or not sentence by sentence."""
    listed = list(records)
    findings.check_once((each.identity, each.source[:40], "source", each.place) for each in listed)
    for record in listed:
        if record.page not in pages:
            findings.wrong(record.place, f"page: “{record.page}” is no page of this pack.")
        for name, error in flaws(record.translation, language, {record.identity[0]}):
            findings.wrong(record.place, f"{name}: {error}")


def write_translations(
    hospital: Hospital, records: Iterable[TranslationRecord], changes: Changes
) -> None:
    """Make the translations what a pack says; those that staff wrote have no place in it."""
    rows = {(row.digest, row.language): row for row in Row.objects.all()}
    made = partial(Row, hospital=hospital)
    wanted = ((each.identity, made, _told(each) | {"digest": each.identity[0]}) for each in records)
    lay_rows("translation", rows, wanted, changes)


def translations_of(hospital: Hospital) -> tuple[TranslationRecord, ...]:
    """Return the translations of a hospital as the pack had them; those of staff come last."""
    rows = Row.objects.filter(hospital=hospital)
    return tuple(map(_of, sorted(rows, key=lambda row: (not row.position, row.position, row.pk))))


def translations_text(records: Iterable[TranslationRecord]) -> bytes:
    """Return a file."""
    return json_lines(map(_told, records))


def _told(record: TranslationRecord) -> dict[str, str]:
    return {name: value for name, value in asdict(record).items() if name != "place"}


def _of(row: Row) -> TranslationRecord:
    return TranslationRecord(row.page, row.source, row.language, row.text, row.heading, row.read_by)
