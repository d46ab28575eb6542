"""The table of doctors: with the departments they work in, and found by name where there is no key,
so that the list which a hospital keeps of its personnel can be taken over as it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from taxonomy.kinds import Kind, Predicate
from taxonomy.models import Department, Doctor, Entity, PopulationCue, Relation
from taxonomy.packs.cells import WrongCell, meant_by
from taxonomy.packs.spreadsheets import Cells, Spreadsheet, entities
from zol.text import fold, words
from zol.values import BETWEEN, nearest

DEPARTMENTS = "departments"
#: The columns that name a doctor where a file has no keys.
NAMES = ("name", "first_name", "last_name")
#: Letters of a key.
LONGEST = 120


def doctors() -> Spreadsheet:
    """Return the table, with the doctors and departments as they are now."""
    rows = DoctorRows()
    return replace(
        rows.plain, columns=(*rows.plain.columns, DEPARTMENTS), find=rows.find, fill=rows.fill,
        keep=rows.keep, write=rows.write, named_by=(NAMES[:1], NAMES[1:]),
        words={DEPARTMENTS: lambda: rows.departments},
    )  # fmt: skip


class DoctorRows:
    """Finds, fills and keeps doctors; all that they are found by is read once."""

    def __init__(self) -> None:
        self.plain = entities(Doctor)

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

    def find(self, cells: Cells, hospital_id: int) -> Any:
        if "key" in cells:
            return self.plain.find(cells, hospital_id)
        found = self.known[self.named(cells)]
        if len(found) > 1:
            raise WrongCell(_("Several doctors are called so: add the column “key”."), "name")
        return found[0] if found else _new(self.parts(cells)["name"], hospital_id)

    def fill(self, row: Any, cells: Cells) -> dict[str, tuple[str, str]]:
        """Whoever is there already keeps the name as it is written here."""
        said = {name: cell for name, cell in cells.items() if name != DEPARTMENTS}
        if "key" not in cells:
            own = {name: cell for name, cell in said.items() if name not in NAMES}
            said = own if row.pk else self.parts(said) | own
        changed = self.plain.fill(row, said)
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
        text = _("Several departments are called “%s”.") if found else _(
            "There is no department “%s”.")  # fmt: skip
        meant = "" if found else meant_by(nearest(said, self.departments))
        raise WrongCell(f"{text % said} {meant}".strip(), DEPARTMENTS)

    def keep(self, row: Any) -> None:
        row.save()
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
        for cells in self.plain.write():
            yield [*cells, BETWEEN.join(places[cells[0]])]


def _new(name: str, hospital_id: int) -> Any:
    return Doctor(hospital_id=hospital_id, key=slugify(name)[:LONGEST], kind=str(Kind.DOCTOR))


def _places_of(row: Any) -> Any:
    return Relation.objects.filter(subject_id=row.pk or 0, predicate=Predicate.WORKS_IN)


def _keys_of(row: Any) -> list[str]:
    return list(_places_of(row).values_list("object__key", flat=True))
