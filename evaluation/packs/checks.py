"""What only the files together can show: keys given twice, references to nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from evaluation.packs.form import SHEET_OF, Ref
from evaluation.packs.mistakes import Findings, Place
from evaluation.packs.records import (
    EntityRecord,
    FactRecord,
    GoldenRecord,
    PageRecord,
    RelationRecord,
)
from taxonomy.kinds import Kind
from zol.text import fold


def check_unique(
    entities: Iterable[EntityRecord],
    pages: Iterable[PageRecord],
    golden: Iterable[GoldenRecord],
    findings: Findings,
) -> None:
    """Note every key, path and id that was given before."""
    _check_once(((each.ref, each.key, "key", each.place) for each in entities), findings)
    _check_once(((each.path, each.path, "path", each.place) for each in pages), findings)
    _check_once(((each.key, each.key, "id", each.place) for each in golden), findings)


def _check_once(found: Iterable[tuple[Any, str, str, Place]], findings: Findings) -> None:
    first: dict[Any, Place] = {}
    for identity, text, name, place in found:
        if text and identity in first:
            findings.wrong(place, f"{name}: “{text}” stands already at {first[identity]}.")
        first.setdefault(identity, place)


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
    _check_once(named, findings)
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
