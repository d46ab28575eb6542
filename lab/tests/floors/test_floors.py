"""Figures are counted, compared and printed; hospitals are loaded again only when they changed."""

from __future__ import annotations

import pytest

from lab.__main__ import claim
from lab.floors import hospitals
from lab.floors.cache import is_shared
from lab.floors.figures import Tally, lines
from lab.floors.understanding import told_in


def test_misses_are_kept_of_what_is_wanted_and_of_what_is_not():
    tally = Tally()
    tally.add("found", hit=True, where="1")
    tally.add("found", hit=False, where="2")
    tally.add("needless", hit=True, where="3", want=False)

    assert tally.report() == {
        "counts": {"found": [1, 2], "needless": [1, 1]},
        "missed": {"found": ["2"], "needless": ["3"]},
    }


def test_the_table_says_what_changed():
    counts = {"passed": [5, 9], "passed: emergency": [2, 2], "passed: nl": [3, 4]}
    before = {"version": "1.1.0", "parts": {"golden": {"counts": {"passed": [7, 9]}}}}

    head, part, *rows = lines({"parts": {"golden": {"seconds": 3, "counts": counts}}}, before)
    assert "1.1.0" in head
    assert part == "golden  (3 s)"
    assert [row.split() for row in rows] == [
        ["passed", "5", "of", "9", "7", "of", "9", "-2"],
        ["passed:", "emergency", "2", "of", "2", "–"],
    ]


def test_a_department_is_told_from_one_whose_name_holds_its_own():
    names = ["Chirurgie", "Vaatchirurgie", "Chirurgie dagkliniek", "Hart"]

    assert [*told_in("Bel Chirurgie dagkliniek, anders Hart.", names)] == [
        "Chirurgie dagkliniek",
        "Hart",
    ]


def test_hospitals_are_loaded_again_only_when_they_changed(tmp_path):
    asked = []

    def manage(_state, *words):
        asked.append(words[0])

    hospitals.ready(tmp_path, manage=manage)
    hospitals.ready(tmp_path, manage=manage)
    loads = ["load_hospital"] * len(hospitals.PACKS)
    assert asked == loads

    (tmp_path / hospitals.MARK).write_text("of other rows", encoding="ascii")
    hospitals.ready(tmp_path, manage=manage)
    assert asked[len(loads) :] == ["stop_services", *loads]


def test_a_folder_with_other_data_is_never_taken(tmp_path):
    claim(tmp_path / "new")
    (tmp_path / "new" / "postgres").touch()
    claim(tmp_path / "new")

    with pytest.raises(SystemExit, match="name an empty folder"):
        claim(tmp_path)


@pytest.mark.django_db
def test_where_all_vectors_are_alike_the_guard_tells_questions_apart(mini):
    asked = "Welke artsen werken op oogziekten?"

    assert is_shared(asked, "Welke dokters zijn er op de afdeling oogziekten?")
    assert not is_shared(asked, "Welke artsen werken op longziekten?")
