"""Sheets of a pack for the chat: curated answers, translations, example questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import yaml

from chat.models import CuratedAnswer, FixedText, PassageTranslation
from chat.phrases import EXAMPLES
from chat.sources import records as curated
from chat.sources.records import Translation, digest_of, translation_flaws
from retrieval.packs import PAGES
from taxonomy.facts.records import FactContext
from taxonomy.packs.cells import CODES, PackRow
from taxonomy.packs.findings import Change, Changes, Findings
from taxonomy.packs.objects import JsonLine, JsonSheet, json_line
from taxonomy.packs.profile import place_of
from taxonomy.packs.sheets import PackContext, RowRecord, update_row
from zol.models import Hospital

#: Maximum letters of an example: one or two lines on a phone.
LONGEST_EXAMPLE = 100


@dataclass(frozen=True, slots=True)
class CuratedLine:
    """The fields of a curated answer in a pack."""

    key: str
    need: str
    answer: dict[str, str]
    examples: dict[str, list[str]]
    sources: list[str]
    subject: str = ""
    conditions: dict[str, str] = field(default_factory=dict)
    next_step: str = ""
    #: Languages, or languages with their reviewer.
    checked_in: dict[str, str] | list[str] = field(default_factory=dict)
    review_by: date | None = None
    valid_from: date | None = None
    valid_to: date | None = None


class CuratedSheet(JsonSheet):
    """Sheet of curated answers."""

    form = CuratedLine

    def record(self, values: dict[str, Any], line: JsonLine) -> dict[str, Any]:
        kind, _colon, key = values["subject"].partition(":")
        examples, checked = values["examples"].items(), values["checked_in"]
        return values | {
            "subject": (kind, key) if kind or key else None,
            "examples": {code: [*dict.fromkeys(asked)] for code, asked in examples if asked},
            "answer": {code: text for code, text in values["answer"].items() if text},
            "checked_in": dict.fromkeys(checked, "") if isinstance(checked, list) else checked,
        }

    def line(self, values: Mapping[str, Any]) -> str:
        """Write a record as a line, without dates that are not set."""
        subject, checked = ":".join(filter(None, values["subject"] or ())), values["checked_in"]
        line = {**values, "subject": subject}
        line["checked_in"] = checked if any(checked.values()) else list(checked)
        return json_line({name: line[name] for name in self.fields if line[name] is not None})

    def check(self, pack: PackContext, findings: Findings) -> None:
        urls = {page.fields["url"] for page in pack.rows[PAGES.file]}
        context = curated.CuratedContext(pack.entities, urls)
        for values in pack.rows[self.file]:
            for name, error in curated.answer_flaws(answer_of(values.fields), context):
                findings.wrong(values.place, f"{name}: {error}")


def answer_of(values: Mapping[str, Any]) -> curated.CuratedAnswer:
    """Read a curated answer from a record."""
    kind, key = values["subject"] or curated.HOSPITAL
    return curated.CuratedAnswer.frozen({**values, "subject__kind": kind, "subject__key": key})


CURATED = CuratedSheet(
    "taxonomy/curated.jsonl", "curated answer", CuratedAnswer,
    (
        "key", "need", "subject", "conditions", "examples", "answer", "sources", "next_step",
        "checked_in", "review_by", "valid_from", "valid_to",
    ),
    ("key",),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TranslationLine:
    """The fields of a translated section of a page in a pack."""

    page: str
    source: str
    language: str
    text: str
    heading: str = ""
    read_by: str = ""


class TranslationSheet(JsonSheet):
    """Sheet of translations, with one row for each section and language."""

    form = TranslationLine

    def record(self, values: dict[str, Any], line: JsonLine) -> dict[str, Any]:
        return values | {"digest": digest_of(values["source"])}

    def row(self, row: PackRow, context: FactContext) -> RowRecord | None:
        values = {name: row.cells[name] for name in self.columns}
        return RowRecord(values | {"digest": digest_of(values["source"])})

    def line(self, values: Mapping[str, Any]) -> str:
        return json_line({name: values[name] for name in self.fields if name != "digest"})

    def check(self, pack: PackContext, findings: Findings) -> None:
        """Report translations without a page, and those that do not match their section."""
        pages = {page.fields["path"] for page in pack.rows[PAGES.file]}
        for values, place in ((each.fields, each.place) for each in pack.rows[self.file]):
            if values["page"] not in pages:
                findings.wrong(place, f"page: “{values['page']}” is no page of this pack.")
            row = Translation(
                values["source"], values["language"], values["text"], values["heading"]
            )
            for name, error in translation_flaws(row, pack.context.language, {values["digest"]}):
                findings.wrong(place, f"{name}: {error}")


TRANSLATIONS = TranslationSheet(
    "taxonomy/translations.jsonl", "translation", PassageTranslation,
    ("page", "source", "language", "text", "heading", "read_by", "digest"),
    ("digest", "language"), ("page", "language", "heading", "source", "text", "read_by"),
    ("page", "language", "source"), label=("source", "source"),
)  # fmt: skip
TRANSLATION_TABLE = TRANSLATIONS.table(long=frozenset({"source", "text"}), has_blanks=True)
SHEETS = (CURATED, TRANSLATIONS)


class Examples:
    """Example questions of the start page, by language."""

    name = EXAMPLES

    def read(self, node: yaml.Node, findings: Findings) -> dict[str, tuple[str, ...]]:
        if not isinstance(node, yaml.MappingNode):
            findings.wrong(place_of(node), f"{EXAMPLES}: questions by language belong here.")
            return {}
        found: dict[str, tuple[str, ...]] = {}
        for key, questions in node.value:
            language = str(key.value)
            if language not in CODES:
                findings.wrong(place_of(key), f"{EXAMPLES}: “{language}” is not a language.")
            elif not isinstance(questions, yaml.SequenceNode):
                text = f"{EXAMPLES}: a list of questions belongs here."
                findings.wrong(place_of(questions), text)
            else:
                found[language] = tuple(str(each.value).strip() for each in questions.value)
                for each in questions.value:
                    if not isinstance(each, yaml.ScalarNode) or not each.value.strip():
                        findings.wrong(place_of(each), f"{EXAMPLES}: each is a question.")
                    elif len(each.value) > LONGEST_EXAMPLE:
                        text = f"{EXAMPLES}: at most {LONGEST_EXAMPLE} letters."
                        findings.wrong(place_of(each), text)
        return found

    def of(self, hospital: Hospital) -> dict[str, tuple[str, ...]]:
        texts = FixedText.objects.filter(kind=EXAMPLES).order_by("pk")
        return {row.language: tuple(row.text.splitlines()) for row in texts}

    def to_yaml(self, values: Mapping[str, tuple[str, ...]]) -> Any:
        return {language: list(each) for language, each in values.items()}

    def write(self, hospital: Hospital, values: Any, changes: Changes) -> None:
        known = {row.language: row for row in FixedText.objects.filter(kind=EXAMPLES)}
        for language, questions in values.items():
            text, row = "\n".join(questions), known.get(language)
            if row is None:
                more = {"kind": EXAMPLES, "language": language, "text": text}
                FixedText.objects.create(hospital=hospital, **more)
            changes.count(self.name, update_row(row, {"text": text}) if row else Change.NEW)


MORE = (Examples(),)
