"""Differences between the draft and versions: added, changed and removed, field by field.

Kinds, fields, relations and row sets have the names that staff know, in the active language.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Max, Model
from django.utils.translation import gettext_lazy as _

from taxonomy.models import Entity, Release, Version
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.models.relations import PREDICATES
from taxonomy.models.releases import WAITING
from taxonomy.publishing.content import (
    FORMER_KEYS,
    Content,
    Held,
    Ref,
    RelationContent,
    content_of,
    draft_content,
)
from taxonomy.publishing.versions import live_version
from taxonomy.vocabulary import Kind
from zol.models import DefaultOverride, Edit, Hospital
from zol.records.versioned import versioned_models

#: Code of the section of relations; the code of any other is a kind or a row set.
RELATIONS = "relation"
ALIASES = "aliases"
Row = Mapping[str, Any]


class ChangeSort(StrEnum):
    """Sort of a change, in the order in which staff read them."""

    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class FieldChange:
    """Values of a field before and after; empty where it had or has none."""

    field: str
    before: str = ""
    after: str = ""
    #: Key within a field that holds several values, such as one for each language.
    part: str = ""
    #: Whether patients read the field as an answer.
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class DifferingItem:
    """An entity, a relation or a row that differs."""

    sort: ChangeSort
    name: str
    changes: tuple[FieldChange, ...] = ()


@dataclass(frozen=True, slots=True)
class DifferenceSection:
    """Differences in one kind of entity, in the relations, or in one row set."""

    code: str
    items: tuple[DifferingItem, ...] = ()

    @property
    def title(self) -> str:
        if self.code == RELATIONS:
            return str(_("relations"))
        model = model_of(self.code)
        return str(model._meta.verbose_name_plural) if model else self.code

    @property
    def counts(self) -> dict[str, int]:
        return Counter(str(item.sort) for item in self.items)

    @property
    def total(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True)
class Differences:
    """Difference between two contents, without empty sections."""

    sections: tuple[DifferenceSection, ...] = ()
    #: Number of items that only changed position in their list.
    moved: int = 0

    @property
    def total(self) -> int:
        return sum(section.total for section in self.sections)

    def section(self, code: str) -> DifferenceSection:
        return next((each for each in self.sections if each.code == code), DifferenceSection(code))


def differences(before: Content, after: Content) -> Differences:
    """Compare two contents."""
    sections = [
        *_entities(before, after),
        DifferenceSection(RELATIONS, tuple(_relations(before, after))),
        *_row_sets(before, after),
    ]
    old, new = _orders(before), _orders(after)
    # Items on both sides whose position differs.
    moved = sum(_out_of_place(old[name], new[name]) for name in old.keys() & new.keys())
    return Differences(tuple(section for section in sections if section.items), moved)


def _entities(before: Content, after: Content) -> Iterator[DifferenceSection]:
    old, new = ({entity.ref: entity for entity in each.entities} for each in (before, after))
    items: dict[str, list[DifferingItem | None]] = defaultdict(list)
    for ref, entity in {**old, **new}.items():
        values = ({"name": e.name, **e.data} if (e := side.get(ref)) else None
                  for side in (old, new))  # fmt: skip
        items[ref.kind].append(differing(entity.name, *values, model=model_of(ref.kind)))
    for kind, found in items.items():
        yield DifferenceSection(kind, _sorted(found))


def differing(
    name: str, old: Row | None, new: Row | None, *, model: type[Model] | None
) -> DifferingItem | None:
    """Return the difference between two states of an item; None where they are equal."""
    if old == new:
        return None
    changes = tuple(_fields(old or {}, new or {}, model))
    if old is None or new is None:
        sort = ChangeSort.ADDED if old is None else ChangeSort.REMOVED
        return DifferingItem(sort, name, changes)
    return DifferingItem(ChangeSort.CHANGED, name, changes) if changes else None


def _fields(old: Row, new: Row, model: type[Model] | None) -> Iterator[FieldChange]:
    for name in {**old, **new}:
        before, after, label = old.get(name), new.get(name), _label(name, model)
        is_answer = name in getattr(model, "answer_fields", ())
        if name == ALIASES:
            yield from _aliases(label, before or (), after or ())
        elif isinstance(before or after, Mapping):
            for part in {**(before or {}), **(after or {})}:
                was, now = ((side or {}).get(part) for side in (before, after))
                if was != now:
                    yield FieldChange(label, shown(was), shown(now), part, is_answer)
        elif before != after:
            yield FieldChange(label, shown(before), shown(after), is_answer=is_answer)


def _aliases(label: str, old: Iterable[Row], new: Iterable[Row]) -> Iterator[FieldChange]:
    before, after = (
        [f"{alias['text']} ({alias['language']}, {alias['kind']})" for alias in aliases]
        for aliases in (old, new)
    )
    yield from (FieldChange(label, before=text) for text in before if text not in after)
    yield from (FieldChange(label, after=text) for text in after if text not in before)


def shown(value: Any) -> str:
    """Return a value as text; an empty text for None."""
    match value:
        case None:
            return ""
        case list() | tuple():
            return ", ".join(map(str, value))
        case Mapping():
            return ", ".join(f"{name}: {each}" for name, each in value.items())
    return str(value)


def _relations(before: Content, after: Content) -> Iterator[DifferingItem]:
    predicates = dict(PREDICATES)
    names = {entity.ref: entity.name for entity in (*before.entities, *after.entities)}
    old, new = ({_triple(fact): fact for fact in each.relations} for each in (before, after))
    for sort, mine, theirs in ((ChangeSort.ADDED, new, old), (ChangeSort.REMOVED, old, new)):
        for triple, fact in mine.items():
            if triple not in theirs:
                words = predicates[fact.predicate], names[fact.object]
                yield DifferingItem(sort, " ".join(map(str, (names[fact.subject], *words))))


def _triple(fact: RelationContent) -> tuple[str, Ref, Ref]:
    return fact.predicate, fact.subject, fact.object


def _row_sets(before: Content, after: Content) -> Iterator[DifferenceSection]:
    models = {model.row_set(): model for model in versioned_models()}
    for row_set in sorted({**before.rows, **after.rows}):
        model = models.get(row_set)
        identity = model.identity if model else ()
        old, new = (_by_name(each.rows.get(row_set, ()), identity) for each in (before, after))
        items = (differing(name[0], old.get(name), new.get(name), model=model)
                 for name in {**new, **old})  # fmt: skip
        yield DifferenceSection(row_set, _sorted(items))


def _by_name(rows: Iterable[Row], identity: tuple[str, ...]) -> dict[tuple[str, int], Row]:
    """Return rows by name and occurrence: the second row of the same name is number 2."""
    seen: Counter[str] = Counter()
    found = {}
    for row in rows:
        name = " · ".join(shown(row.get(part)) for part in identity or tuple(row))
        seen[name] += 1
        found[name, seen[name]] = row
    return found


def _sorted(items: Iterable[DifferingItem | None]) -> tuple[DifferingItem, ...]:
    order = list(ChangeSort)
    found = (item for item in items if item)
    return tuple(sorted(found, key=lambda each: (order.index(each.sort), each.name.casefold())))


def _orders(content: Content) -> dict[str, list[Any]]:
    orders: dict[str, list[Any]] = defaultdict(list)
    for entity in sorted(content.entities, key=lambda each: each.position):
        orders[entity.ref.kind].append(entity.ref)
    for fact in sorted(content.relations, key=lambda each: each.position):
        orders[f"{RELATIONS} {fact.predicate} {fact.subject}"].append(_triple(fact))
        orders[f"{RELATIONS} {fact.predicate} to {fact.object}"].append(_triple(fact))
    return orders


def _out_of_place(old: list[Any], new: list[Any]) -> int:
    here, there = set(new), set(old)
    before, after = [x for x in old if x in here], [x for x in new if x in there]
    return sum(1 for one, other in zip(before, after, strict=True) if one != other)


def model_of(code: str) -> type[Model] | None:
    """Return the model of a section; None for relations and row sets of an earlier version."""
    if code == Kind.HOSPITAL:
        return Hospital
    if "." not in code:
        return next((model for kind, model in ENTITY_MODELS.items() if kind == code), None)
    try:
        return apps.get_model(code)
    except LookupError:
        return None


def _label(field: str, model: type[Model] | None) -> str:
    if field == ALIASES:
        return str(_("other word"))
    if field == FORMER_KEYS:
        return str(_("keys of merged entities"))
    if field == "url" and model is Hospital:
        return str(_("website"))
    for owner in (model or Entity, Entity):
        try:
            return str(owner._meta.get_field(field).verbose_name)  # type: ignore[union-attr]
        except FieldDoesNotExist:
            continue
    return field


def pending(hospital: Hospital) -> Differences:
    """Return the differences between the live version and the draft."""
    live = live_version()
    return differences(content_of(live) if live else Content(), draft_content(hospital))


def changes_of(release: Release) -> Differences:
    """Return what a release changes in the version that was live when it was submitted."""
    version = release.version
    return pending(release.hospital) if version is None else between(release.base, version)


def between(before: Version | None, after: Version) -> Differences:
    """Return the differences between two versions; equal row sets are not read."""
    equal = before.digests.items() & after.digests.items() if before else ()
    held: Held = dict.fromkeys(equal, ())
    return differences(content_of(before, held) if before else Content(), content_of(after, held))


def edits_of(user: User) -> int:
    """Count the rows a user edited that no release carries yet."""
    live = live_version()
    sent = Release.objects.filter(state__in=WAITING).aggregate(Max("version__last_edit"))
    reached = max(live.last_edit if live else 0, sent["version__last_edit__max"] or 0)
    mine = Edit.objects.filter(by=user, pk__gt=reached)
    # An entity has rows in two tables: editing both is one edit.
    entities = {Entity._meta.label_lower, *(m._meta.label_lower for m in ENTITY_MODELS.values())}
    rows = {(name, row) for name, rows in mine.values_list("row_set", "rows") for row in rows}
    # Editing a shared row writes an own row and an override: count only the own row.
    note = DefaultOverride._meta.label_lower
    notes = DefaultOverride.objects.filter(pk__in=[pk for name, pk in rows if name == note])
    rows -= {(note, pk) for pk in notes.exclude(own=None).values_list("pk", flat=True)}
    return len({("" if name in entities else name, row) for name, row in rows})
