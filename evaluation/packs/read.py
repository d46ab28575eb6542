"""A folder of a pack as records; every mistake in it is found before anything is loaded.

Some only the files together can show: keys given twice, references to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from chat.sources import records as curated_records
from evaluation.packs.curated import check_curated, read_curated
from evaluation.packs.facts import read_facts
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
from evaluation.packs.golden import read_golden
from evaluation.packs.pages import read_originals, read_pages
from evaluation.packs.profile import HOME, read_profile
from evaluation.packs.records import (
    EntityRecord,
    FactRecord,
    GoldenRecord,
    Pack,
    PageRecord,
    RelationRecord,
)
from evaluation.packs.taxonomy import read_relations, read_sheet
from evaluation.packs.translations import check_translations, read_translations
from taxonomy.facts.records import House
from taxonomy.kinds import Kind
from zol.text import fold


def check_unique(
    entities: Iterable[EntityRecord],
    pages: Iterable[PageRecord],
    golden: Iterable[GoldenRecord],
    findings: Findings,
) -> None:
    """Note every key, path and id that was given before."""
    findings.check_once((each.ref, each.key, "key", each.place) for each in entities)
    findings.check_once((each.path, each.path, "path", each.place) for each in pages)
    findings.check_once((each.key, each.key, "id", each.place) for each in golden)


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


def check_facts(
    facts: tuple[FactRecord, ...],
    entities: Iterable[EntityRecord],
    pages: Iterable[PageRecord],
    findings: Findings,
) -> None:
    """Note facts that are given twice or are about nothing in the pack; warn of unknown pages."""
    known, paths = {each.ref for each in entities}, {page.path for page in pages}
    named = ((fact.identity, fact.need, "need", fact.place) for fact in facts)
    findings.check_once(named)
    for fact in facts:
        if fact.subject:
            _check_known(fact.subject, known, fact.place, findings)
        if fact.source and fact.source not in paths:
            findings.warn(fact.place, f"source: there is no page “{fact.source}”.")


def check_references(
    entities: tuple[EntityRecord, ...],
    relations: Iterable[RelationRecord],
    pages: Iterable[PageRecord],
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
    mentions += [mention for page in pages for mention in page.mentions]
    for mention in mentions:
        _check_known(mention.ref, known, mention.place, findings)


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
    house = House(country, language, frozenset(e.key for e in entities if e.kind is Kind.CAMPUS))
    facts = said(FACTS, read_facts, house)
    relations = said(RELATIONS, read_relations)
    pages = said(PAGES, read_pages, language)
    golden = said(GOLDEN, read_golden)
    curated = said(CURATED, read_curated)
    translations = said(TRANSLATIONS, read_translations)
    check_unique(entities, pages, golden, findings)
    check_aliases(entities, findings)
    check_facts(facts, entities, pages, findings)
    check_references(entities, relations, pages, findings)
    holds = curated_records.House({e.ref for e in entities}, {page.url for page in pages})
    check_curated(curated, holds, findings)
    listed = tuple(stated_once(entities, relations, findings))
    check_translations(translations, language, {page.path for page in pages}, findings)
    originals = read_originals(folder, pages, findings)
    if profile is None or findings.mistakes:
        raise PackRefused(findings.mistakes)
    return Pack(
        profile, entities, listed, curated, pages, golden, originals, sources,
        tuple(findings.warnings), facts, translations,
    )  # fmt: skip


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
