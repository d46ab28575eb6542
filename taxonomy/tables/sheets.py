"""What a row of a table means: the row of the hospital that it is about, and its values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import methodcaller
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import override

from taxonomy.facts.conditions import FactConditions
from taxonomy.facts.parts import WrongPart
from taxonomy.facts.records import COLUMNS as FACT_COLUMNS
from taxonomy.facts.records import cells_of
from taxonomy.kinds import Kind
from taxonomy.models import Alias, Entity, Fact, Relation
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.services.merging import meaning_elsewhere
from zol.refusals import refused
from zol.text import fold, squash
from zol.values import WrongValue, cell_of, codes_in, nearest, read_date, read_number

_NO_COLUMN = {"id", "hospital", "kind", "position", "entity_ptr", "owner"}
STAFF_LANGUAGES = ("nl", "en")
Cells = dict[str, str]


class WrongCell(Exception):
    """A cell that cannot be taken over; the words say why."""

    def __init__(self, column: str, sentence: str) -> None:
        super().__init__(sentence)
        self.column, self.sentence = column, sentence


@dataclass(frozen=True, slots=True)
class Sheet:
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


def sheet_of(model: type[models.Model]) -> Sheet:
    """Return the table of a model."""
    own = {Alias: ALIASES, Relation: RELATIONS, Fact: FACTS}
    return own.get(model) or entities(model)


def entities(model: type[Any]) -> Sheet:
    """Return the table of a kind of entity."""
    fields = {f.name: f for f in model._meta.concrete_fields if f.name not in _NO_COLUMN}
    names = ("key", "name", *(name for name in fields if name not in ("key", "name")))

    def find(cells: Cells, hospital_id: int) -> Any:
        found = model.objects.filter(key=cells["key"]).first()
        return found or model(
            hospital_id=hospital_id, key=cells["key"], kind=str(model.kind_of_rows)
        )

    def fill(row: Any, cells: Cells) -> dict[str, tuple[str, str]]:
        before = _told(row, cells)
        for name, cell in cells.items():
            setattr(row, name, _value(fields[name], cell))
        return _changed(before, _told(row, cells))

    def write() -> Iterator[Sequence[str]]:
        for row in model.objects.order_by("position", "name"):
            yield [*_told(row, names).values()]

    dates = frozenset(name for name in names if isinstance(fields[name], models.DateField))
    return Sheet(model, names, ("key",), find, fill, write, dates)


def _told(row: Any, names: Iterable[str]) -> dict[str, str]:
    return {name: cell_of(getattr(row, name)) for name in names}


def _changed(before: Mapping[str, str], said: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    return {name: (before[name], now) for name, now in said.items() if before[name] != now}


def _value(field: Any, cell: str) -> Any:
    if isinstance(field, ArrayField):
        return codes_in(cell)
    if not cell:
        return field.get_default()
    try:
        if isinstance(field, models.DateField):
            return read_date(cell)
        if isinstance(field, models.DecimalField):
            return read_number(cell)
        _check_choice(field, cell)
        return field.to_python(cell)
    except WrongValue as error:
        raise WrongCell(field.name, " ".join(refused(error).messages)) from error
    except ValidationError as error:
        raise WrongCell(field.name, " ".join(error.messages)) from error


def _check_choice(field: Any, cell: str) -> None:
    """Refuse what is none of a field's choices, with what they are."""
    known = {str(value): str(label) for value, label in field.flatchoices}
    if known and cell not in known:
        words = [(word, value) for value, label in known.items() for word in (value, label)]
        text = _("“%(cell)s” is none of: %(known)s.") % {"cell": cell, "known": ", ".join(known)}
        raise WrongCell(field.name, f"{text} {meant_by(nearest(cell, words))}".strip())


def meant_by(word: str) -> str:
    """Return a question that offers a word, if there is one."""
    return _("Did you mean “%s”?") % word if word else ""


def _entity(cells: Cells, kind_column: str, key_column: str) -> Entity:
    said = {"kind": cells.get(kind_column, ""), "key": cells.get(key_column, "")}
    known = sorted(map(str, ENTITY_MODELS))
    if said["kind"] not in known:
        text = _("“%(kind)s” is none of: %(known)s.")
        raise WrongCell(kind_column, text % {**said, "known": ", ".join(known)})
    found = Entity.objects.filter(**said).first()
    if found is None:
        raise WrongCell(key_column, _("There is no %(kind)s “%(key)s”.") % said)
    return found


def _find_alias(cells: Cells, hospital_id: int) -> Alias:
    entity = _entity(cells, "kind", "key")
    text, language = squash(cells["text"]), cells.get("language") or "nl"
    if other := meaning_elsewhere(entity, text, language):
        raise WrongCell("text", other)
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
    return _changed(before, said)


def _write_aliases() -> Iterator[Sequence[str]]:
    rows = Alias.objects.select_related("entity").order_by("entity_kind", "entity__key", "position")
    for row in rows.exclude(entity_kind=Kind.HOSPITAL):
        yield [row.entity_kind, row.entity.key, row.text, row.language, row.kind]


def _find_relation(cells: Cells, hospital_id: int) -> Relation:
    subject = _entity(cells, "subject_kind", "subject")
    target = _entity(cells, "object_kind", "object")
    if subject.pk == target.pk:
        raise WrongCell("object", _("“%s” cannot relate to itself.") % subject)
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
        raise WrongCell("predicate", " ".join(said)) from error
    return {"predicate": ("", relation.predicate)}


def _write_relations() -> Iterator[Sequence[str]]:
    rows = Relation.objects.select_related("subject", "object").exclude(
        models.Q(subject_kind=Kind.HOSPITAL) | models.Q(object_kind=Kind.HOSPITAL)
    )
    for row in rows.order_by("subject_kind", "subject__key", "predicate", "position"):
        ends = (row.subject_kind, row.subject.key, row.predicate, row.object_kind, row.object.key)
        yield list(ends)


def _find_fact(cells: Cells, hospital_id: int) -> Fact:
    about = _entity(cells, "subject_kind", "subject") if cells.get("subject_kind") else None
    conditions = _conditions(cells)
    first = _value(Fact._meta.get_field("valid_from"), cells.get("valid_from", ""))
    ends: dict[str, Any] = {
        "need": cells["need"], "subject": about, "conditions": conditions, "valid_from": first,
    }  # fmt: skip
    return Fact.objects.filter(**ends).first() or Fact(hospital_id=hospital_id, **ends)


def _conditions(cells: Cells) -> dict[str, str]:
    try:
        return FactConditions.parse_line(cells.get("conditions", "")).data()
    except WrongPart as error:
        raise WrongCell("conditions", " ".join(refused(error).messages)) from error


def _fill_fact(fact: Fact, cells: Cells) -> dict[str, tuple[str, str]]:
    """Lay the cells over a fact; the row itself reads and refuses them, as it does of a form."""
    names = ("value", "source", "sentence", "valid_to")
    before = _told(fact, names)
    for name in names:
        if name in cells:
            setattr(fact, name, _value(Fact._meta.get_field(name), cells[name]))
    try:
        fact.clean()
    except ValidationError as error:
        column, sentences = next(iter(error.message_dict.items()))
        raise WrongCell(column, " ".join(sentences)) from error
    return _changed(before, _told(fact, names))


def fact_cells(fact: Fact) -> list[str]:
    """Return a fact as the cells of its columns."""
    subject = (fact.subject.kind, fact.subject.key) if fact.subject else None
    names = ("need", "conditions", "value", "source", "sentence", "valid_from", "valid_to")
    return cells_of(subject, **{name: getattr(fact, name) for name in names})


def _write_facts() -> Iterator[Sequence[str]]:
    rows = Fact.objects.select_related("subject").order_by("position", "pk")
    yield from map(fact_cells, rows)


_TIE = ("subject_kind", "subject", "predicate", "object_kind", "object")
ALIASES = Sheet(
    Alias, ("kind", "key", "text", "language", "sort"), ("kind", "key", "text"),
    _find_alias, _fill_alias, _write_aliases,
)  # fmt: skip
RELATIONS = Sheet(Relation, _TIE, _TIE, _find_relation, _fill_relation, _write_relations)
FACTS = Sheet(
    Fact, FACT_COLUMNS, ("need", "value"), _find_fact, _fill_fact, _write_facts,
    frozenset({"valid_from", "valid_to"}), FACT_COLUMNS,
)  # fmt: skip
