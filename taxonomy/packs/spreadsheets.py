"""Spreadsheets of the back office: the row of the hospital that a line is about, and its values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import methodcaller
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import override

from taxonomy.kinds import Kind
from taxonomy.models import Alias, Entity, Relation
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.packs.cells import WrongCell, value_of
from taxonomy.services.merging import meaning_elsewhere
from zol.text import fold, squash
from zol.values import cell_of

_NO_COLUMN = {"id", "hospital", "kind", "position", "entity_ptr", "owner"}
STAFF_LANGUAGES = ("nl", "en")
Cells = dict[str, str]


@dataclass(frozen=True, slots=True)
class Spreadsheet:
    """One kind of table."""

    model: type[Any]
    columns: tuple[str, ...]
    #: Columns by which a row is found again; they cannot be left out.
    identity: tuple[str, ...]
    #: Returns the row that cells are about, new or known; changes nothing.
    find: Callable[[Cells, int], Any]
    #: Lays the cells over a row, and returns what was said before and is said now, by column.
    fill: Callable[[Any, Cells], dict[str, tuple[str, str]]]
    write: Callable[[], Iterator[Sequence[str]]]
    #: Columns that hold dates.
    dates: frozenset[str] = frozenset()
    #: Columns that tell rows apart too, where they are filled in.
    apart: tuple[str, ...] = ("language",)
    #: Columns whose line breaks are kept.
    long: frozenset[str] = frozenset()
    #: Whether a row without values is one that nobody has filled in yet, and no mistake.
    has_blanks: bool = False
    keep: Callable[[Any], None] = methodcaller("save")
    #: Columns by which a row is found where those of `identity` are missing: one set or another.
    named_by: tuple[tuple[str, ...], ...] = ()
    #: Of columns that name something else: what it is called, each word with what it stands for.
    words: Mapping[str, Callable[[], list[tuple[str, str]]]] = field(default_factory=dict)

    def identity_in(self, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the columns by which a file with these columns names its rows."""
        ways = (self.identity, *self.named_by)
        return next((way for way in ways if set(way) <= set(columns)), self.identity)

    @property
    def fields(self) -> dict[str, Any]:
        known = {field.name: field for field in self.model._meta.concrete_fields}
        return {column: known[column] for column in self.columns if column in known}

    def choices(self, column: str) -> list[tuple[str, str]]:
        """Return the words for all that a column may hold; nothing where that is free."""
        if column in self.words:
            return self.words[column]()
        is_own = column in self.fields and issubclass(self.model, Entity)
        known = self.fields[column].flatchoices if is_own else ()
        return [(str(word), str(value)) for value, label in known for word in (label, value)]

    def names(self) -> Iterator[tuple[str, str]]:
        """Yield the names under which staff may know a column, each with the column."""
        for column in self.columns:
            yield column, column
            for language in STAFF_LANGUAGES if column in self.fields else ():
                with override(language):
                    yield str(self.fields[column].verbose_name), column


def entities(model: type[Any]) -> Spreadsheet:
    """Return the table of a kind of entity."""
    fields = {f.name: f for f in model._meta.concrete_fields if f.name not in _NO_COLUMN}
    names = ("key", "name", *(name for name in fields if name not in ("key", "name")))

    def find(cells: Cells, hospital_id: int) -> Any:
        found = model.objects.filter(key=cells["key"]).first()
        return found or model(
            hospital_id=hospital_id, key=cells["key"], kind=str(model.kind_of_rows)
        )

    def fill(row: Any, cells: Cells) -> dict[str, tuple[str, str]]:
        before = told(row, cells)
        for name, cell in cells.items():
            setattr(row, name, value_of(fields[name], cell))
        return differences(before, told(row, cells))

    def write() -> Iterator[Sequence[str]]:
        for row in model.objects.order_by("position", "name"):
            yield [*told(row, names).values()]

    dates = frozenset(name for name in names if isinstance(fields[name], models.DateField))
    return Spreadsheet(model, names, ("key",), find, fill, write, dates)


def told(row: Any, names: Iterable[str]) -> dict[str, str]:
    return {name: cell_of(getattr(row, name)) for name in names}


def differences(before: Mapping[str, str], said: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    return {name: (before[name], now) for name, now in said.items() if before[name] != now}


def entity_of(cells: Cells, kind_column: str, key_column: str) -> Entity:
    said = {"kind": cells.get(kind_column, ""), "key": cells.get(key_column, "")}
    known = sorted(map(str, ENTITY_MODELS))
    if said["kind"] not in known:
        text = _("“%(kind)s” is none of: %(known)s.")
        raise WrongCell(text % {**said, "known": ", ".join(known)}, kind_column)
    found = Entity.objects.filter(**said).first()
    if found is None:
        raise WrongCell(_("There is no %(kind)s “%(key)s”.") % said, key_column)
    return found


def _find_alias(cells: Cells, hospital_id: int) -> Alias:
    entity = entity_of(cells, "kind", "key")
    own = entity.hospital.default_language
    text, language = squash(cells["text"]), cells.get("language") or own
    if other := meaning_elsewhere(entity, text, language):
        raise WrongCell(other, "text")
    found = entity.aliases.filter(language=language, folded=fold(text)).first()
    position = entity.aliases.count()
    return found or Alias(
        hospital_id=hospital_id, entity=entity, language=language, position=position
    )


def _fill_alias(alias: Alias, cells: Cells) -> dict[str, tuple[str, str]]:
    said = {"text": squash(cells["text"]), "sort": cells.get("sort") or alias.kind}
    before = {"text": alias.text, "sort": alias.kind if alias.pk else ""}
    alias.text, alias.kind = said["text"], said["sort"]
    alias.complete()
    return differences(before, said)


def _write_aliases() -> Iterator[Sequence[str]]:
    rows = Alias.objects.select_related("entity").order_by("entity_kind", "entity__key", "position")
    for row in rows.exclude(entity_kind=Kind.HOSPITAL):
        yield [row.entity_kind, row.entity.key, row.text, row.language, row.kind]


def _find_relation(cells: Cells, hospital_id: int) -> Relation:
    subject = entity_of(cells, "subject_kind", "subject")
    target = entity_of(cells, "object_kind", "object")
    if subject.pk == target.pk:
        raise WrongCell(_("“%s” cannot relate to itself.") % subject, "object")
    ends: dict[str, Any] = {"subject": subject, "object": target, "predicate": cells["predicate"]}
    found = Relation.objects.filter(**ends).first()
    last = Relation.objects.filter(subject=subject, predicate=cells["predicate"]).count()
    return found or Relation(hospital_id=hospital_id, position=last, **ends)


def _fill_relation(relation: Relation, cells: Cells) -> dict[str, tuple[str, str]]:
    if relation.pk:
        return {}
    try:
        relation.clean()
    except (ValidationError, ValueError) as error:
        said = error.messages if isinstance(error, ValidationError) else [_("Unknown relation.")]
        raise WrongCell(" ".join(said), "predicate") from error
    return {"predicate": ("", relation.predicate)}


def _write_relations() -> Iterator[Sequence[str]]:
    rows = Relation.objects.select_related("subject", "object").exclude(
        models.Q(subject_kind=Kind.HOSPITAL) | models.Q(object_kind=Kind.HOSPITAL)
    )
    for row in rows.order_by("subject_kind", "subject__key", "predicate", "position"):
        ends = (row.subject_kind, row.subject.key, row.predicate, row.object_kind, row.object.key)
        yield list(ends)


_TIE = ("subject_kind", "subject", "predicate", "object_kind", "object")
ALIASES = Spreadsheet(
    Alias, ("kind", "key", "text", "language", "sort"), ("kind", "key", "text"),
    _find_alias, _fill_alias, _write_aliases,
)  # fmt: skip
RELATIONS = Spreadsheet(Relation, _TIE, _TIE, _find_relation, _fill_relation, _write_relations)
