"""Spreadsheets of the back office: the row of the hospital that a line is about, and its values."""

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
    """One kind of table; a subclass finds, fills and writes its rows."""

    model: type[Any]
    columns: tuple[str, ...]
    #: Columns by which a row is found again; they cannot be left out.
    identity: tuple[str, ...]
    #: Columns that hold dates.
    dates: frozenset[str] = frozenset()
    #: Columns that tell rows apart too, where they are filled in.
    apart: tuple[str, ...] = ("language",)
    #: Columns whose line breaks are kept.
    long: frozenset[str] = frozenset()
    #: Whether a row without values is one that nobody has filled in yet, and no mistake.
    has_blanks: bool = False
    #: Columns by which a row is found where those of `identity` are missing: one set or another.
    named_by: ClassVar[tuple[tuple[str, ...], ...]] = ()
    #: Columns that name something else by any word for it.
    by_word: ClassVar[frozenset[str]] = frozenset()

    def find(self, cells: Cells) -> Any:
        """Return the row that cells are about, new or known; change nothing."""
        raise NotImplementedError

    def fill(self, row: Any, cells: Cells) -> Changed:
        """Lay cells over a row; return what was said before and is said now, by column."""
        raise NotImplementedError

    def write(self) -> Iterator[Sequence[str]]:
        raise NotImplementedError

    def keep(self, row: Any) -> None:
        row.save()

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


class EntityTable(Spreadsheet):
    """The table of a kind of entity."""

    @classmethod
    def of(cls, model: type[Any], *more: str) -> Self:
        fields = [f for f in model._meta.concrete_fields if f.name not in _NO_COLUMN]
        others = (f.name for f in fields if f.name not in ("key", "name"))
        dates = frozenset(f.name for f in fields if isinstance(f, models.DateField))
        return cls(model, ("key", "name", *others, *more), ("key",), dates)

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


def differences(before: Mapping[str, str], said: Mapping[str, str]) -> Changed:
    return {name: (before[name], now) for name, now in said.items() if before[name] != now}


def entity_of(cells: Cells, kind_column: str, key_column: str) -> Entity:
    said = {"kind": cells.get(kind_column, ""), "key": cells.get(key_column, "")}
    known = sorted(map(str, ENTITY_MODELS))
    if said["kind"] not in known:
        text = _("“%(kind)s” is not possible: choose from %(known)s.")
        raise WrongCell(text % {**said, "known": ", ".join(known)}, kind_column)
    found = Entity.objects.filter(**said).first()
    if found is None:
        raise WrongCell(
            _("There is no %(kind)s “%(key)s”: correct the key, or add it first.") % said,
            key_column,
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
        said = {"text": squash(cells["text"]), "sort": cells.get("sort") or row.kind}
        before = {"text": row.text, "sort": row.kind if row.pk else ""}
        row.text, row.kind = said["text"], said["sort"]
        row.complete()
        return differences(before, said)

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
        except (ValidationError, ValueError) as error:
            said = (
                error.messages
                if isinstance(error, ValidationError)
                else [_("This relation is unknown.")]
            )
            raise WrongCell(" ".join(said), "predicate") from error
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
#: The columns that name a doctor where a file has no keys.
NAMES = ("name", "first_name", "last_name")
#: Letters of a key.
LONGEST = 120


class DoctorTable(EntityTable):
    """Doctors with their departments; all that they are found by is read once."""

    named_by = (NAMES[:1], NAMES[1:])
    by_word = frozenset({DEPARTMENTS})

    def choices(self, column: str) -> list[tuple[str, str]]:
        return self.departments if column == DEPARTMENTS else super().choices(column)

    @cached_property
    def departments(self) -> list[tuple[str, str]]:
        """What departments are called, each word with a key: the names first."""
        rows = Department.objects.filter(status=Entity.Status.ACTIVE).prefetch_related("aliases")
        return [
            (word, row.key)
            for row in rows
            for word in (row.name, row.key, row.canonical_name, *map(str, row.aliases.all()))
            if word
        ]

    @cached_property
    def titles(self) -> frozenset[str]:
        """The words before a doctor's name: those in use, and those that staff keep."""
        used = Doctor.objects.values_list("title", flat=True).distinct()
        rows = PopulationCue.objects.filter(sort=PopulationCue.TITLE)
        kept = rows.values_list("phrase", flat=True)
        return frozenset(word for title in (*used, *kept) for word in words(title))

    @cached_property
    def known(self) -> dict[frozenset[str], list[Any]]:
        """Doctors by the words of their names; one in use hides one who is not."""
        found: dict[frozenset[str], list[Any]] = defaultdict(list)
        for row in Doctor.objects.order_by("status"):
            for said in (row.name, f"{row.first_name} {row.last_name}"):
                mine = found[self.named({"name": said})]
                if row not in mine and not (mine and row.status == Entity.Status.HIDDEN):
                    mine.append(row)
        return found

    def named(self, cells: Cells) -> frozenset[str]:
        """Return the words of a name, in whichever order a file writes them."""
        apart = " ".join(cells.get(name, "") for name in NAMES[1:]).strip()
        return frozenset(words(apart or cells["name"])) - self.titles

    def find(self, cells: Cells) -> Any:
        if "key" in cells:
            return super().find(cells)
        found = self.known[self.named(cells)]
        if len(found) > 1:
            raise WrongCell(_("Several doctors have this name: add the column “key”."), "name")
        key = slugify(self.parts(cells)["name"])[:LONGEST]
        own = {"hospital_id": required_hospital_id(), "kind": str(Kind.DOCTOR)}
        return found[0] if found else Doctor(key=key, **own)

    def fill(self, row: Any, cells: Cells) -> Changed:
        """Whoever is there already keeps the name as it is written here."""
        said = {name: cell for name, cell in cells.items() if name != DEPARTMENTS}
        if "key" not in cells:
            own = {name: cell for name, cell in said.items() if name not in NAMES}
            said = own if row.pk else self.parts(said) | own
        changed = super().fill(row, said)
        if DEPARTMENTS in cells:
            row.works_in = [*map(self.department, filter(None, cells[DEPARTMENTS].split(BETWEEN)))]
            before, after = _keys_of(row), [each.key for each in row.works_in]
            if sorted(before) != sorted(after):
                changed[DEPARTMENTS] = (BETWEEN.join(before), BETWEEN.join(after))
        return changed

    def parts(self, cells: Cells) -> Cells:
        """Return the parts of a new doctor's name: first name and surname, or with a comma between
        them the other way round."""
        said, title = cells.get("name", "").split(), []
        while said and set(words(said[0])) <= self.titles:
            title.append(said.pop(0))
        last, comma, first = " ".join(said).partition(",")
        if not comma:
            first, last = " ".join(said[:1]), " ".join(said[1:])
        parts = {"title": " ".join(title), "first_name": first.strip(), "last_name": last.strip()}
        parts |= {name: cells[name] for name in NAMES[1:] if cells.get(name)}
        return parts | {"name": " ".join(filter(None, map(parts.get, NAMES[1:])))}

    def department(self, said: str) -> Any:
        found = {key for word, key in self.departments if fold(word) == fold(said.strip())}
        if len(found) == 1:
            return Department.objects.get(key=found.pop())
        text = _("Several departments have the name “%s”.") if found else _(
            "There is no department “%s”: correct the name, or add it first.")  # fmt: skip
        meant = "" if found else meant_by(nearest(said, self.departments))
        raise WrongCell(f"{text % said} {meant}".strip(), DEPARTMENTS)

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
