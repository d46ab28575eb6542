"""A folder of a pack as records; every mistake in it is found before anything is loaded.

Some only the files together can show: keys given twice, references to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from chat.sources.records import CuratedContext, flaws
from evaluation.packs.findings import Findings, PackRefused, Place
from evaluation.packs.form import (
    CURATED,
    FACTS,
    GOLDEN,
    PAGES,
    PROFILE,
    RELATIONS,
    SHEET_OF,
    SHEETS,
    TRANSLATIONS,
    Ref,
)
from evaluation.packs.golden import GOLDEN_ROWS
from evaluation.packs.pages import PAGE_ROWS, read_originals
from evaluation.packs.profile import HOME, read_profile
from evaluation.packs.records import EntityRecord, Pack, RelationRecord
from evaluation.packs.rows import (
    CURATED_ROWS,
    FACT_ROWS,
    TRANSLATION_ROWS,
    RowRecord,
    Rows,
    answer_of,
    check_translations,
)
from evaluation.packs.taxonomy import read_relations, read_sheet
from taxonomy.facts import records as facts
from taxonomy.kinds import Kind
from zol.text import fold


def check_aliases(entities: Iterable[EntityRecord], findings: Findings) -> None:
    """Note every alias that would mean two things of one type in one language."""
    first: dict[tuple[Kind, str, str], tuple[str, Place]] = {}
    for entity in entities:
        for alias in entity.aliases:
            identity = (entity.kind, alias.language, fold(alias.text))
            if identity in first:
                key, place = first[identity]
                findings.wrong(
                    alias.place,
                    f"The alias “{alias.text}” ({alias.language}) of “{entity.key}” "
                    f"is already one of “{key}” at {place}.",
                )
            first.setdefault(identity, (entity.key, alias.place))


def check_references(
    entities: tuple[EntityRecord, ...],
    relations: Iterable[RelationRecord],
    rows: Iterable[RowRecord],
    findings: Findings,
) -> None:
    """Note every reference to something that is not in the pack."""
    known = {each.ref for each in entities}
    for relation in (*(each for entity in entities for each in entity.relations), *relations):
        for end in (relation.subject, relation.object):
            _check_known(end, known, relation.place, findings)
        if relation.subject == relation.object:
            findings.wrong(relation.place, f"“{relation.subject[1]}” cannot relate to itself.")
    mentions = [mention for entity in entities for mention in entity.mentions]
    for ref, place in (*mentions, *(mention for row in rows for mention in row.mentions)):
        _check_known(ref, known, place, findings)


def _check_known(ref: Ref, known: set[Ref], place: Place, findings: Findings) -> None:
    kind, key = ref
    if ref not in known:
        where = SHEET_OF[kind].file
        findings.wrong(place, f"There is no {kind} “{key}” in {where}.")


def stated_once(
    entities: Iterable[EntityRecord], relations: Iterable[RelationRecord], findings: Findings
) -> Iterator[RelationRecord]:
    """Give the listed relations that nothing before them states; the others are pointed out."""
    first = {
        (each.subject, each.predicate, each.object): each.place
        for entity in entities
        for each in entity.relations
    }
    for each in relations:
        identity = (each.subject, each.predicate, each.object)
        if identity in first:
            findings.warn(each.place, f"This is said already at {first[identity]}; not read.")
            continue
        first[identity] = each.place
        yield each


ROW_FILES = (FACT_ROWS, PAGE_ROWS, CURATED_ROWS, TRANSLATION_ROWS, GOLDEN_ROWS)


def check_rows(rows: Rows, things: set[Ref], language: str, findings: Findings) -> None:
    """Note rows that are given twice or say what cannot be; warn of sources that are no page."""
    for each in ROW_FILES:
        each.check_once(rows[each.file], findings)
    pages = {page.fields["path"]: page.fields["url"] for page in rows[PAGES]}
    for fact in rows[FACTS]:
        if (source := fact.fields["source"]) and source not in pages:
            findings.warn(fact.place, f"source: there is no page “{source}”.")
    urls = {page.fields["url"] for page in rows[PAGES]}
    for said in rows[CURATED]:
        for name, error in flaws(answer_of(said.fields), CuratedContext(things, urls)):
            findings.wrong(said.place, f"{name}: {error}")
    check_translations(rows[TRANSLATIONS], language, pages, findings)


_SHEETS_OPTIONAL = {sheet.file for sheet in SHEETS if sheet.is_optional}
_BESIDE = (RELATIONS, FACTS, CURATED, TRANSLATIONS, GOLDEN)
OPTIONAL = {*_BESIDE, *_SHEETS_OPTIONAL}
FILES = (PROFILE, *(sheet.file for sheet in SHEETS), PAGES, *_BESIDE)


def read_pack(folder: Path) -> Pack:
    """Return the pack in a folder, or refuse it with all its mistakes."""
    findings = Findings()
    sources = dict(_sources(folder, findings))
    profile = read_profile(sources[PROFILE], findings) if PROFILE in sources else None
    language, country = _of_house(profile.fields if profile else {})

    def said(name: str, read: Callable[..., Iterable[Any]], *more: Any) -> tuple[Any, ...]:
        return tuple(read(sources[name], *more, findings)) if name in sources else ()

    entities: tuple[EntityRecord, ...] = tuple(
        each for sheet in SHEETS for each in said(sheet.file, read_sheet, sheet, country)
    )
    campuses = frozenset(each.key for each in entities if each.kind is Kind.CAMPUS)
    house = facts.FactContext(country, language, campuses)
    more: dict[str, Any] = {FACTS: house, PAGES: language}
    rows = {
        each.file: said(each.file, each.read, *(more[n] for n in (each.file,) if n in more))
        for each in ROW_FILES
    }
    relations = said(RELATIONS, read_relations)
    findings.check_once((each.ref, each.key, "key", each.place) for each in entities)
    check_aliases(entities, findings)
    check_references(entities, relations, (*rows[FACTS], *rows[PAGES]), findings)
    check_rows(rows, {each.ref for each in entities}, language, findings)
    listed = tuple(stated_once(entities, relations, findings))
    originals = read_originals(folder, rows[PAGES], findings)
    if profile is None or findings.mistakes:
        raise PackRefused(findings.mistakes)
    return Pack(profile, entities, listed, rows, originals, sources, tuple(findings.warnings))


def _of_house(fields: Mapping[str, Any]) -> tuple[str, str]:
    """Return the language and the country of a hospital."""
    return str(fields.get("default_language") or "nl"), str(fields.get("country") or HOME)


def _sources(folder: Path, findings: Findings) -> Iterator[tuple[str, bytes]]:
    for name in FILES:
        place = folder / name
        if place.is_file():
            yield name, place.read_bytes()
        elif name not in OPTIONAL:
            findings.wrong(Place(name, 1, 1), "The file is missing.")
