"""A folder of a pack as records; every mistake in it is found before anything is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chat.sources import records as curated_records
from evaluation.packs import checks
from evaluation.packs.curated import check_curated, read_curated
from evaluation.packs.facts import read_facts
from evaluation.packs.form import CURATED, FACTS, GOLDEN, PAGES, PROFILE, RELATIONS, SHEETS
from evaluation.packs.golden import read_golden
from evaluation.packs.mistakes import Findings, PackRefused, Place
from evaluation.packs.pages import read_originals, read_pages
from evaluation.packs.profile import HOME, read_profile
from evaluation.packs.records import EntityRecord, FactRecord, Pack, PageRecord, RelationRecord
from evaluation.packs.taxonomy import read_relations, read_sheet
from taxonomy.facts.records import House
from taxonomy.kinds import Kind

_SHEETS_OPTIONAL = {sheet.file for sheet in SHEETS if sheet.is_optional}
OPTIONAL = {RELATIONS, FACTS, CURATED, GOLDEN, *_SHEETS_OPTIONAL}
FILES = (PROFILE, *(sheet.file for sheet in SHEETS), RELATIONS, FACTS, CURATED, PAGES, GOLDEN)


def read_pack(folder: Path) -> Pack:
    """Return the pack in a folder, or refuse it with all its mistakes."""
    findings = Findings()
    sources = dict(_sources(folder, findings))
    profile = read_profile(sources[PROFILE], findings) if PROFILE in sources else None
    fields = profile.fields if profile else {}
    language = str(fields.get("default_language") or "nl")
    country = str(fields.get("country") or HOME)
    entities = tuple(_entities(sources, findings, country))
    house = House(country, language, frozenset(e.key for e in entities if e.kind is Kind.CAMPUS))
    facts = tuple(_facts(sources, house, findings))
    relations = tuple(_relations(sources, findings))
    pages = tuple(_pages(sources, language, findings))
    golden = tuple(read_golden(sources.get(GOLDEN, b""), findings))
    curated = tuple(read_curated(sources.get(CURATED, b""), findings))
    checks.check_unique(entities, pages, golden, findings)
    checks.check_aliases(entities, findings)
    checks.check_facts(facts, entities, pages, findings)
    checks.check_references(entities, relations, pages, findings)
    known = {each.ref for each in entities}
    holds = curated_records.House(known, {page.url for page in pages})
    check_curated(curated, holds, findings)
    listed = tuple(checks.stated_once(entities, relations, findings))
    originals = read_originals(folder, pages, findings)
    if profile is None or findings.mistakes:
        raise PackRefused(findings.mistakes)
    return Pack(
        profile, entities, listed, curated, pages, golden, originals, sources,
        tuple(findings.warnings), facts,
    )  # fmt: skip


def _sources(folder: Path, findings: Findings) -> Iterator[tuple[str, bytes]]:
    for name in FILES:
        place = folder / name
        if place.is_file():
            yield name, place.read_bytes()
        elif name not in OPTIONAL:
            findings.wrong(Place(name, 1, 1), "The file is missing.")


def _entities(
    sources: dict[str, bytes], findings: Findings, country: str
) -> Iterator[EntityRecord]:
    for sheet in SHEETS:
        if sheet.file in sources:
            yield from read_sheet(sources[sheet.file], sheet, findings, country)


def _relations(sources: dict[str, bytes], findings: Findings) -> Iterator[RelationRecord]:
    if RELATIONS in sources:
        yield from read_relations(sources[RELATIONS], findings)


def _facts(sources: dict[str, bytes], house: House, findings: Findings) -> Iterator[FactRecord]:
    if FACTS in sources:
        yield from read_facts(sources[FACTS], house, findings)


def _pages(sources: dict[str, bytes], language: str, findings: Findings) -> Iterator[PageRecord]:
    if PAGES in sources:
        yield from read_pages(sources[PAGES], language, findings)
