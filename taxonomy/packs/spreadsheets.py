"""Spreadsheets of the back office: how their lines correspond to database rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import override

from taxonomy.models import Alias, Department, Doctor, Entity, PopulationCue, Relation
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.packs.cells import WrongCell, meant_by, value_of
from taxonomy.proposals.merging import meaning_elsewhere
from taxonomy.vocabulary import Kind, Predicate
from zol.records.values import BETWEEN, cell_of, nearest
from zol.tenancy import required_hospital_id
from zol.text import fold, squash, words

_NO_COLUMN = {"id", "hospital", "kind", "position", "entity_ptr", "owner"}
STAFF_LANGUAGES = ("nl", "en")
Cells = dict[str, str]
Changed = dict[str, tuple[str, str]]


@dataclass(frozen=True)
class Spreadsheet:
    """A table of one model; subclasses find, fill and export its rows."""

    model: type[Any]
    columns: tuple[str, ...]
    #: Required columns, which identify a row.
    identity: tuple[str, ...]
    #: Further columns that distinguish rows, if present.
    distinguishing: tuple[str, ...] = ("language",)
    #: Columns whose line breaks are kept.
    long: frozenset[str] = frozenset()
    #: Whether rows without values are to be filled in later, instead of mistakes.
    has_blanks: bool = False
    #: Alternative sets of columns that identify a row.
    other_identities: ClassVar[tuple[tuple[str, ...], ...]] = ()
    #: Columns that refer to other entities by name or alias.
    by_word: ClassVar[frozenset[str]] = frozenset()

    def find(self, cells: Cells) -> Any:
        """Return the existing or a new, unsaved row for cells."""
        raise NotImplementedError

    def fill(self, row: Any, cells: Cells) -> Changed:
        """Set the values of a row; return the cells before and after, by changed column."""
        raise NotImplementedError

    def write(self) -> Iterator[Sequence[str]]:
        """Yield the cells of all rows."""
        raise NotImplementedError

    def keep(self, row: Any) -> None:
        row.save()

    def identity_in(self, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the columns that identify rows in a file with these columns."""
        sets = (self.identity, *self.other_identities)
        return next((each for each in sets if set(each) <= set(columns)), self.identity)

    @property
    def fields(self) -> dict[str, Any]:
        known = {field.name: field for field in self.model._meta.concrete_fields}
        return {column: known[column] for column in self.columns if column in known}

    @property
    def dates(self) -> frozenset[str]:
        """Return the columns of dates."""
        return frozenset(n for n, f in self.fields.items() if isinstance(f, models.DateField))

    def choices(self, column: str) -> list[tuple[str, str]]:
        """Return the words for each value that a column may have; empty if it is unrestricted."""
        is_own = column in self.fields and issubclass(self.model, Entity)
        known = self.fields[column].flatchoices if is_own else ()
        return [(str(word), str(value)) for value, label in known for word in (label, value)]

    def names(self) -> Iterator[tuple[str, str]]:
        """Yield the names and translated labels of columns, with their column."""
        for column in self.columns:
            yield column, column
            for language in STAFF_LANGUAGES if column in self.fields else ():
                with override(language):
                    yield str(self.fields[column].verbose_name), column


class EntityTable(Spreadsheet):
    """The table of a kind of entity."""

    @classmethod
    def of(cls, model: type[Any], *more: str) -> Self:
        fields = [f for f in model._meta.concrete_fields if f.name not in _NO_COLUMN]
        others = (f.name for f in fields if f.name not in ("key", "name"))
        return cls(model, ("key", "name", *others, *more), ("key",))

    def find(self, cells: Cells) -> Any:
        found = self.model.objects.filter(key=cells["key"]).first()
        kind, hospital_id = str(self.model.kind_of_rows), required_hospital_id()
        return found or self.model(hospital_id=hospital_id, key=cells["key"], kind=kind)

    def fill(self, row: Any, cells: Cells) -> Changed:
        before = row_cells(row, cells)
        for name, cell in cells.items():
            setattr(row, name, value_of(self.fields[name], cell))
        return differences(before, row_cells(row, cells))

    def write(self) -> Iterator[Sequence[str]]:
        for row in self.model.objects.order_by("position", "name"):
            yield [*row_cells(row, self.fields).values()]


def row_cells(row: Any, names: Iterable[str]) -> dict[str, str]:
    return {name: cell_of(getattr(row, name)) for name in names}


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> Changed:
    return {name: (before[name], now) for name, now in after.items() if before[name] != now}


def entity_of(cells: Cells, kind_column: str, key_column: str) -> Entity:
    ref = {"kind": cells.get(kind_column, ""), "key": cells.get(key_column, "")}
    known = sorted(map(str, ENTITY_MODELS))
    if ref["kind"] not in known:
        text = _("“%(kind)s” is not possible: choose from %(known)s.")
        raise WrongCell(text % {**ref, "known": ", ".join(known)}, kind_column)
    found = Entity.objects.filter(**ref).first()
    if found is None:
        raise WrongCell(
            _("There is no %(kind)s “%(key)s”: correct the key, or add it first.") % ref, key_column
        )
    return found


class AliasTable(Spreadsheet):
    def find(self, cells: Cells) -> Alias:
        entity = entity_of(cells, "kind", "key")
        own = entity.hospital.default_language
        text, language = squash(cells["text"]), cells.get("language") or own
        if other := meaning_elsewhere(entity, text, language):
            raise WrongCell(other, "text")
        found = entity.aliases.filter(language=language, folded=fold(text)).first()
        position = entity.aliases.count()
        return found or Alias(
            hospital_id=entity.hospital_id, entity=entity, language=language, position=position
        )

    def fill(self, row: Alias, cells: Cells) -> Changed:
        after = {"text": squash(cells["text"]), "sort": cells.get("sort") or row.kind}
        before = {"text": row.text, "sort": row.kind if row.pk else ""}
        row.text, row.kind = after["text"], after["sort"]
        row.complete()
        return differences(before, after)

    def write(self) -> Iterator[Sequence[str]]:
        order = ("entity_kind", "entity__key", "position")
        rows = Alias.objects.exclude(entity_kind=Kind.HOSPITAL).order_by(*order)
        yield from rows.values_list("entity_kind", "entity__key", "text", "language", "kind")


class RelationTable(Spreadsheet):
    def find(self, cells: Cells) -> Relation:
        subject = entity_of(cells, "subject_kind", "subject")
        target = entity_of(cells, "object_kind", "object")
        if subject.pk == target.pk:
            raise WrongCell(
                _("“%s” cannot have a relation with itself: choose another.") % subject, "object"
            )
        rows = Relation.objects.filter(subject=subject, predicate=cells["predicate"])
        ends = {"subject": subject, "object": target, "predicate": cells["predicate"]}
        return rows.filter(object=target).first() or Relation(
            hospital_id=subject.hospital_id, position=rows.count(), **ends
        )

    def fill(self, row: Relation, cells: Cells) -> Changed:
        if row.pk:
            return {}
        try:
            row.clean()
        except ValidationError as error:
            raise WrongCell(" ".join(error.messages), "predicate") from error
        except ValueError as error:
            raise WrongCell(_("This relation is unknown."), "predicate") from error
        return {"predicate": ("", row.predicate)}

    def write(self) -> Iterator[Sequence[str]]:
        own = models.Q(subject_kind=Kind.HOSPITAL) | models.Q(object_kind=Kind.HOSPITAL)
        rows = Relation.objects.exclude(own)
        yield from rows.order_by(
            "subject_kind", "subject__key", "predicate", "position"
        ).values_list("subject_kind", "subject__key", "predicate", "object_kind", "object__key")


_ENDS = ("subject_kind", "subject", "predicate", "object_kind", "object")
ALIASES = AliasTable(Alias, ("kind", "key", "text", "language", "sort"), ("kind", "key", "text"))
RELATIONS = RelationTable(Relation, _ENDS, _ENDS)
DEPARTMENTS = "departments"
#: The columns that identify a doctor in a file without keys.
NAMES = ("name", "first_name", "last_name")
#: Maximum letters of a key.
LONGEST = 120


class DoctorTable(EntityTable):
    """The table of doctors with their departments.

    In a file without keys, doctors are found by name, in any word order and with or without title.
    """

    other_identities = (NAMES[:1], NAMES[1:])
    by_word = frozenset({DEPARTMENTS})

    def choices(self, column: str) -> list[tuple[str, str]]:
        return self.departments if column == DEPARTMENTS else super().choices(column)

    @cached_property
    def departments(self) -> list[tuple[str, str]]:
        """Names and aliases of departments with their key, names first."""
        rows = Department.objects.filter(status=Entity.Status.ACTIVE).prefetch_related("aliases")
        return [
            (word, row.key)
            for row in rows
            for word in (row.name, row.key, row.canonical_name, *map(str, row.aliases.all()))
            if word
        ]

    @cached_property
    def titles(self) -> frozenset[str]:
        """The words of titles: those of doctors, and those among the cues."""
        used = Doctor.objects.values_list("title", flat=True).distinct()
        rows = PopulationCue.objects.filter(sort=PopulationCue.TITLE)
        kept = rows.values_list("phrase", flat=True)
        return frozenset(word for title in (*used, *kept) for word in words(title))

    @cached_property
    def known(self) -> dict[frozenset[str], list[Any]]:
        """Doctors by the words of their names; an active one takes precedence over a hidden one."""
        found: dict[frozenset[str], list[Any]] = defaultdict(list)
        for row in Doctor.objects.order_by("status"):
            for name in (row.name, f"{row.first_name} {row.last_name}"):
                namesakes = found[self.words_of({"name": name})]
                if row not in namesakes and not (namesakes and row.status == Entity.Status.HIDDEN):
                    namesakes.append(row)
        return found

    def words_of(self, cells: Cells) -> frozenset[str]:
        """Return the words of a name without titles."""
        apart = " ".join(cells.get(name, "") for name in NAMES[1:]).strip()
        return frozenset(words(apart or cells["name"])) - self.titles

    def find(self, cells: Cells) -> Any:
        if "key" in cells:
            return super().find(cells)
        found = self.known[self.words_of(cells)]
        if len(found) > 1:
            raise WrongCell(_("Several doctors have this name: add the column “key”."), "name")
        key = slugify(self.parts(cells)["name"])[:LONGEST]
        own = {"hospital_id": required_hospital_id(), "kind": str(Kind.DOCTOR)}
        return found[0] if found else Doctor(key=key, **own)

    def fill(self, row: Any, cells: Cells) -> Changed:
        """Set the values of a doctor; an existing one who was found by name keeps it."""
        values = {name: cell for name, cell in cells.items() if name != DEPARTMENTS}
        if "key" not in cells:
            others = {name: cell for name, cell in values.items() if name not in NAMES}
            values = others if row.pk else self.parts(values) | others
        changed = super().fill(row, values)
        if DEPARTMENTS in cells:
            row.works_in = [*map(self.department, filter(None, cells[DEPARTMENTS].split(BETWEEN)))]
            before, after = _keys_of(row), [each.key for each in row.works_in]
            if sorted(before) != sorted(after):
                changed[DEPARTMENTS] = (BETWEEN.join(before), BETWEEN.join(after))
        return changed

    def parts(self, cells: Cells) -> Cells:
        """Split the name of a new doctor: "title first last" or "title last, first"."""
        rest, title = cells.get("name", "").split(), []
        while rest and set(words(rest[0])) <= self.titles:
            title.append(rest.pop(0))
        last, comma, first = " ".join(rest).partition(",")
        if not comma:
            first, last = " ".join(rest[:1]), " ".join(rest[1:])
        parts = {"title": " ".join(title), "first_name": first.strip(), "last_name": last.strip()}
        parts |= {name: cells[name] for name in NAMES[1:] if cells.get(name)}
        return parts | {"name": " ".join(filter(None, map(parts.get, NAMES[1:])))}

    def department(self, name: str) -> Any:
        found = {key for word, key in self.departments if fold(word) == fold(name.strip())}
        if len(found) == 1:
            return Department.objects.get(key=found.pop())
        text = _("Several departments have the name “%s”.") if found else _(
            "There is no department “%s”: correct the name, or add it first.")  # fmt: skip
        meant = "" if found else meant_by(nearest(name, self.departments))
        raise WrongCell(f"{text % name} {meant}".strip(), DEPARTMENTS)

    def keep(self, row: Any) -> None:
        super().keep(row)
        if not hasattr(row, "works_in"):
            return
        _places_of(row).exclude(object__in=row.works_in).delete()
        for place, department in enumerate(row.works_in):
            if department.key not in _keys_of(row):
                tie = {"subject": row, "predicate": Predicate.WORKS_IN, "object": department}
                Relation(**tie, position=place).save()

    def write(self) -> Iterator[Sequence[str]]:
        places: dict[str, list[str]] = defaultdict(list)
        ties = Relation.objects.filter(predicate=Predicate.WORKS_IN, subject_kind=Kind.DOCTOR)
        for subject, place in ties.values_list("subject__key", "object__key"):
            places[subject].append(place)
        for cells in super().write():
            yield [*cells, BETWEEN.join(places[cells[0]])]


def _places_of(row: Any) -> Any:
    return Relation.objects.filter(subject_id=row.pk or 0, predicate=Predicate.WORKS_IN)


def _keys_of(row: Any) -> list[str]:
    return list(_places_of(row).values_list("object__key", flat=True))
