"""Translate differences for staff: names of kinds, fields, relations and row sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.utils.translation import gettext_lazy as _

from taxonomy.models import Entity
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.models.relations import PREDICATES
from taxonomy.publishing.content import FORMER_KEYS
from taxonomy.publishing.differences import (
    ALIASES,
    RELATIONS,
    ChangeSort,
    Differences,
    DifferingItem,
    FieldChange,
)
from taxonomy.vocabulary import Kind
from zol.models import Hospital

PREDICATE_NAMES: dict[str, Any] = dict(PREDICATES)


@dataclass(frozen=True, slots=True)
class NamedChange:
    field: str
    before: str
    after: str
    #: Whether patients read it as an answer.
    is_told: bool = False
    part: str = ""


@dataclass(frozen=True, slots=True)
class NamedItem:
    sort: str
    name: str
    changes: tuple[NamedChange, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedSection:
    code: str
    title: str
    added: tuple[NamedItem, ...] = ()
    changed: tuple[NamedItem, ...] = ()
    removed: tuple[NamedItem, ...] = ()

    @property
    def total(self) -> int:
        return len(self.added) + len(self.changed) + len(self.removed)

    @property
    def items(self) -> tuple[NamedItem, ...]:
        return (*self.changed, *self.added, *self.removed)


def named(found: Differences) -> Iterator[NamedSection]:
    """Give each section, field and relation the name by which staff know it."""
    for section in found.sections:
        model = _model_of(section.code)
        items = {sort: tuple(_item(i, model) for i in section.of(sort)) for sort in ChangeSort}
        yield NamedSection(
            section.code,
            _title(section.code, model),
            items[ChangeSort.ADDED],
            items[ChangeSort.CHANGED],
            items[ChangeSort.REMOVED],
        )


def _model_of(code: str) -> type[Model] | None:
    if code == Kind.HOSPITAL:
        return Hospital
    if "." in code:
        try:
            return apps.get_model(code)
        except LookupError:  # A set of rows that an earlier version of the product had.
            return None
    return next((model for kind, model in ENTITY_MODELS.items() if kind == code), None)


def _title(code: str, model: type[Model] | None) -> str:
    if code == RELATIONS:
        return str(_("relations"))
    return str(model._meta.verbose_name_plural) if model else code


def _item(item: DifferingItem, model: type[Model] | None) -> NamedItem:
    changes = tuple(_change(change, model) for change in item.fields)
    return NamedItem(str(item.sort), sentence(item.name), changes)


def sentence(name: str) -> str:
    """Return the name of a relation in words: "Ann Peeters works in Cardiology"."""
    for code, words in PREDICATE_NAMES.items():
        before, found, after = name.partition(f" {code} ")
        if found:
            return f"{before} {words} {after}"
    return name


def _change(change: FieldChange, model: type[Model] | None) -> NamedChange:
    is_told = change.field in getattr(model, "told", ())
    label = _label(change.field, model)
    return NamedChange(label, change.before, change.after, is_told, change.part)


def _label(field: str, model: type[Model] | None) -> str:
    if field == ALIASES:
        return str(_("other word"))
    if field == FORMER_KEYS:
        return str(_("keys of what was merged into it"))
    if field == "url" and model is Hospital:
        return str(_("website"))
    for owner in (model, Entity):
        if owner is None:
            continue
        try:
            return str(owner._meta.get_field(field).verbose_name)  # type: ignore[union-attr]
        except FieldDoesNotExist:
            continue
    return field
