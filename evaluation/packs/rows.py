"""Files of a pack of which each line is a row of one model: facts, curated answers, translations.

A record says the fields of the model, as plain values; so read, kept rows and written lines are
compared, laid over one another and printed in one way.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from chat.models import CuratedAnswer, PassageTranslation
from chat.sources import records as curated
from chat.sources.translations import Translation, digest_of
from chat.sources.translations import flaws as flaws_of_translation
from evaluation.packs import tables
from evaluation.packs.findings import NOWHERE, Changes, Findings, Place, lay_rows
from evaluation.packs.form import CURATED, FACTS, SHEET_OF, TRANSLATIONS, Ref
from evaluation.packs.tables import csv_text, json_lines, numbered, read_table
from taxonomy.facts.parts import WrongPart
from taxonomy.facts.records import COLUMNS, FactContext, cells_of, read_record
from taxonomy.kinds import Kind
from taxonomy.models import Entity, Fact
from zol.models import Hospital

#: Letters of what is shown of a row that is given twice.
LONGEST = 120


class Reference(NamedTuple):
    """A reference, and where it stands."""

    ref: Ref
    place: Place


@dataclass(frozen=True, slots=True)
class RowRecord:
    """A row as a pack says it: the fields of its model, with its subject by kind and key."""

    fields: Mapping[str, Any]
    place: Place = field(default=NOWHERE, compare=False)
    #: What of the pack it is about, or has to be there for it.
    mentions: tuple[Reference, ...] = field(default=(), compare=False)


#: Records by the file that says them.
Rows = Mapping[str, tuple[RowRecord, ...]]


def in_order(rows: Iterable[Any]) -> list[Any]:
    """Return rows as the pack had them; those that staff made come last."""
    return sorted(rows, key=lambda row: (row.position == 0, row.position, row.pk))


@dataclass(frozen=True, slots=True)
class RowFile:
    """One such file. Rows that staff made have no place in the pack, and stay."""

    file: str
    noun: str
    model: type[Any]
    fields: tuple[str, ...]
    #: The fields by which a row is found again.
    identity: tuple[str, ...]
    read: Callable[..., Iterator[RowRecord]]
    text: Callable[[Iterable[RowRecord]], bytes]
    #: What tells somebody which row it is: as the file calls it, and the field.
    called: tuple[str, str] = ("key", "key")
    #: Filled in where a row came from a pack.
    mark: str = "position"

    def named(self, said: Mapping[str, Any]) -> tuple[object, ...]:
        values = (said[name] for name in self.identity)
        return tuple(tuple(sorted(v.items())) if isinstance(v, dict) else v for v in values)

    def said(self, row: Any) -> dict[str, Any]:
        values = {name: getattr(row, name) for name in self.fields}
        if subject := values.get("subject"):
            values["subject"] = (subject.kind, subject.key)
        return values

    def rows(self, hospital: Hospital) -> list[Any]:
        linked = ["subject"] if "subject" in self.fields else []
        rows = self.model.objects.filter(hospital=hospital).select_related(*linked)
        return in_order(rows)

    def of(self, hospital: Hospital) -> tuple[RowRecord, ...]:
        """Return the rows of a hospital, but for those about what is hidden."""
        shown = (
            row
            for row in self.rows(hospital)
            if not (subject := getattr(row, "subject", None))
            or subject.status == Entity.Status.ACTIVE
        )
        return tuple(RowRecord(self.said(row)) for row in shown)

    def check_once(self, records: Iterable[RowRecord], findings: Findings) -> None:
        """Note every record that was given before."""
        name, of = self.called
        findings.check_once(
            (self.named(each.fields), each.fields[of][:LONGEST], name, each.place)
            for each in records
        )

    def write(self, hospital: Hospital, rows: Rows, changes: Changes) -> None:
        """Make the rows that came from a pack what it says."""
        existing = {self.named(self.said(row)): row for row in self.rows(hospital)}
        entities = Entity.objects.filter(hospital=hospital)
        things = {(row.kind, row.key): row for row in entities} if "subject" in self.fields else {}

        def values(said: Mapping[str, Any]) -> dict[str, Any]:
            own = {"subject": things.get(said["subject"])} if "subject" in said else {}
            return {**said, **own}

        def made(**said: Any) -> Any:
            return self.model(hospital=hospital, **said)

        wanted = ((self.named(each.fields), made, values(each.fields)) for each in rows[self.file])
        lay_rows(self.noun, existing, wanted, changes, mark=self.mark)


NEEDED = ("need", "value")
OPTIONAL = tuple(name for name in COLUMNS if name not in NEEDED)


def _read_facts(data: bytes, house: FactContext, findings: Findings) -> Iterator[RowRecord]:
    """Give the facts of a file; what is wrong with one is noted at its cell."""
    for row in read_table(data, FACTS, NEEDED, OPTIONAL, findings):
        try:
            found = read_record(row.cells, house)
        except WrongPart as error:
            row.wrong(error.name or "value", str(error).rstrip("."))
            continue
        kind = row.value("subject_kind", tables.one_of(frozenset(map(str, SHEET_OF)), "kind"), "")
        subject = (Kind(kind), row.needed("subject")) if kind else None
        said = {
            "need": found.need, "subject": subject, "conditions": found.conditions.data(),
            "value": found.line, "source": row.text("source", limit=300),
            "sentence": row.text("sentence", limit=2_000), "valid_from": found.valid_from,
            "valid_to": found.valid_to,
        }  # fmt: skip
        place = row.place("need")
        yield RowRecord(said, place, (Reference(subject, place),) if subject else ())


def _facts_text(records: Iterable[RowRecord]) -> bytes:
    return csv_text(COLUMNS, (cells_of(**each.fields) for each in records))


@dataclass(frozen=True, slots=True)
class _CuratedLine:
    """A curated answer as it is written."""

    key: str
    need: str
    answer: dict[str, str]
    examples: dict[str, list[str]]
    sources: list[str]
    subject: str = ""
    conditions: dict[str, str] = field(default_factory=dict)
    next_step: str = ""
    #: Languages, or languages with who read it.
    checked_in: dict[str, str] | list[str] = field(default_factory=dict)
    review_by: date | None = None
    valid_from: date | None = None
    valid_to: date | None = None


@dataclass(frozen=True, slots=True)
class _TranslationLine:
    """A section of a page in another language, and who read it."""

    page: str
    source: str
    language: str
    text: str
    heading: str = ""
    read_by: str = ""


def _objects(
    form: type[Any], data: bytes, file: str, findings: Findings
) -> Iterator[tuple[dict[str, Any], Place]]:
    """Give the objects of a file, one on a line, that have a form."""
    lines = TypeAdapter(form)
    for place, line in numbered(data, file, findings):
        try:
            yield asdict(lines.validate_json(line)), place
        except ValidationError as error:
            for wrong in error.errors():
                where = ".".join(map(str, wrong["loc"])) or "JSON"
                findings.wrong(place, f"{where}: {wrong['msg']}.")


def _read_curated(data: bytes, findings: Findings) -> Iterator[RowRecord]:
    for said, place in _objects(_CuratedLine, data, CURATED, findings):
        kind, _colon, key = said["subject"].partition(":")
        examples, checked = said["examples"].items(), said["checked_in"]
        told = {
            "subject": (kind, key) if kind or key else None,
            "examples": {code: [*dict.fromkeys(asked)] for code, asked in examples if asked},
            "answer": {code: text for code, text in said["answer"].items() if text},
            "checked_in": dict.fromkeys(checked, "") if isinstance(checked, list) else checked,
        }
        yield RowRecord(said | told, place)


def answer_of(said: Mapping[str, Any]) -> curated.CuratedAnswer:
    kind, key = said["subject"] or curated.HOSPITAL
    return curated.CuratedAnswer.frozen({**said, "subject__kind": kind, "subject__key": key})


def _curated_text(records: Iterable[RowRecord]) -> bytes:
    """Return a file; days that are not set are left out."""
    return json_lines(_curated_line(each.fields) for each in records)


def _curated_line(said: Mapping[str, Any]) -> dict[str, Any]:
    subject, checked = ":".join(filter(None, said["subject"] or ())), said["checked_in"]
    told = {**said, "subject": subject}
    told["checked_in"] = checked if any(checked.values()) else list(checked)
    return {name: told[name] for name in CURATED_ROWS.fields if told[name] is not None}


def _read_translations(data: bytes, findings: Findings) -> Iterator[RowRecord]:
    for said, place in _objects(_TranslationLine, data, TRANSLATIONS, findings):
        yield RowRecord(said | {"digest": digest_of(said["source"])}, place)


def check_translations(
    records: tuple[RowRecord, ...], language: str, pages: Container[str], findings: Findings
) -> None:
    """Note what is translated of no page, or not sentence by sentence."""
    for said, place in ((each.fields, each.place) for each in records):
        if said["page"] not in pages:
            findings.wrong(place, f"page: “{said['page']}” is no page of this pack.")
        told = Translation(said["source"], said["language"], said["text"], said["heading"])
        for name, error in flaws_of_translation(told, language, {said["digest"]}):
            findings.wrong(place, f"{name}: {error}")


def _translations_text(records: Iterable[RowRecord]) -> bytes:
    names = TRANSLATION_ROWS.fields[:-1]
    return json_lines({name: each.fields[name] for name in names} for each in records)


FACT_ROWS = RowFile(
    FACTS, "fact", Fact,
    ("need", "subject", "conditions", "value", "source", "sentence", "valid_from", "valid_to"),
    ("need", "subject", "conditions", "valid_from"), _read_facts, _facts_text,
    ("need", "need"),
)  # fmt: skip
CURATED_ROWS = RowFile(
    CURATED, "curated answer", CuratedAnswer,
    (
        "key", "need", "subject", "conditions", "examples", "answer", "sources", "next_step",
        "checked_in", "review_by", "valid_from", "valid_to",
    ),
    ("key",), _read_curated, _curated_text,
)  # fmt: skip
TRANSLATION_ROWS = RowFile(
    TRANSLATIONS, "translation", PassageTranslation,
    ("page", "source", "language", "text", "heading", "read_by", "digest"),
    ("digest", "language"), _read_translations, _translations_text,
    ("source", "source"),
)  # fmt: skip
