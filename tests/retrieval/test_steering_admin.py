"""Steering: the matrix as a grid, and every number of retrieval as a form field."""

from __future__ import annotations

from dataclasses import asdict, fields

import pytest
from django.core.exceptions import ValidationError

from retrieval.admin.matrix import shade_of
from retrieval.intents import Intent
from retrieval.meanings import MEANINGS
from retrieval.models import AffinityCell, ContentCategory, RetrievalSetting, SteeringRoute
from retrieval.models.steering import INTENT_NAMES
from retrieval.tuning import RetrievalTuning
from taxonomy.kinds import Kind
from taxonomy.models.entities import KIND_NAMES
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
MATRIX = "/admin/retrieval/affinitycell/matrix/"
SETTINGS = "/admin/retrieval/retrievalsetting/all/"
ROW, CATEGORY = "medical_information", "practical"


@pytest.fixture
def operator(hospital):
    return signed_in(hospital, Role.OPERATOR)


@pytest.fixture
def cell(hospital):
    for name in (CATEGORY, "general"):
        ContentCategory.objects.create(hospital=hospital, category=name, name_en=name.title())
    return AffinityCell.objects.create(hospital=hospital, row=ROW, category=CATEGORY, factor=0.75)


def grid(**factors):
    return {f"{ROW}__{CATEGORY}": "0.75", f"{ROW}__general": "1.0"} | factors


def numbers(**changes):
    """Return what the browser sends for the settings; a box that is not ticked is not sent."""
    values = asdict(RetrievalTuning()) | changes
    return {name: value for name, value in values.items() if value is not False}


@pytest.mark.parametrize(
    ("factor", "shade"),
    [
        pytest.param(0.55, -4, id="the lowest is the coldest"),
        pytest.param(1.0, 0, id="neutral has no colour"),
        pytest.param(1.30, 4, id="the highest is the warmest"),
        pytest.param("nonsense", 0, id="what is no number has no colour"),
    ],
)
def test_a_cell_is_as_warm_as_its_factor(factor, shade):
    assert shade_of(factor) == shade


def test_the_matrix_stores_what_was_changed(cell, operator):
    saved = operator.post(MATRIX, grid(**{f"{ROW}__{CATEGORY}": "0.9"}), follow=True)

    cell.refresh_from_db()
    assert "Send the draft for approval" in saved.text
    assert cell.factor == 0.9
    assert AffinityCell.objects.count() == 1


def test_a_neutral_cell_gets_a_row_once_it_differs(cell, operator):
    operator.post(MATRIX, grid(**{f"{ROW}__general": "1.1"}))

    assert AffinityCell.objects.get(category="general").factor == 1.1


def test_a_factor_beyond_the_bounds_is_refused_in_words(cell, operator):
    page = operator.post(MATRIX, grid(**{f"{ROW}__{CATEGORY}": "2"}))

    assert "A number lies between 0.55 and 1.3." in page.text
    cell.refresh_from_db()
    assert cell.factor == 0.75


def test_the_list_refuses_it_as_well(cell, operator):
    page = operator.post(
        f"/admin/retrieval/affinitycell/{cell.pk}/change/",
        {"row": ROW, "category": CATEGORY, "factor": "2"},
    )

    assert "An affinity lies between 0.55 and 1.30." in page.text


def test_an_analyst_sees_the_matrix_and_changes_nothing(hospital, cell):
    analyst = signed_in(hospital, Role.ANALYST)

    assert analyst.get(MATRIX).status_code == 200
    assert analyst.post(MATRIX, grid(**{f"{ROW}__{CATEGORY}": "0.9"})).status_code == 403
    cell.refresh_from_db()
    assert cell.factor == 0.75


def test_a_route_leads_to_a_row_of_the_matrix(cell, operator):
    url = "/admin/retrieval/steeringroute/add/"

    refused = operator.post(url, {"intent": "doctor_lookup", "topic": "", "row": "nowhere"})
    operator.post(url, {"intent": "doctor_lookup", "topic": "", "row": ROW})

    assert "Select a valid choice" in refused.text
    assert SteeringRoute.objects.get().row == ROW


def test_every_intent_and_kind_has_a_name():
    assert list(INTENT_NAMES) == list(Intent)
    assert set(KIND_NAMES) == set(Kind)


def test_every_number_has_a_meaning_and_every_meaning_a_number():
    explained = [name for meanings in MEANINGS.values() for name in meanings]

    assert sorted(explained) == sorted(field.name for field in fields(RetrievalTuning))


def test_every_default_lies_within_its_bounds():
    defaults = asdict(RetrievalTuning())

    for meanings in MEANINGS.values():
        for name, meaning in meanings.items():
            assert meaning.lowest is None or defaults[name] >= meaning.lowest, name
            assert meaning.highest is None or defaults[name] <= meaning.highest, name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("section_boost", 9.0, id="too much"),
        pytest.param("limit", 0, id="too little"),
        pytest.param("bm25_b", float("nan"), id="no number at all"),
    ],
)
def test_a_number_out_of_bounds_is_refused_wherever_it_comes_from(name, value):
    with pytest.raises(ValidationError, match=r"is not between|ligt niet tussen"):
        RetrievalSetting(name=name, value=value).clean()


def test_a_number_within_its_bounds_is_taken():
    RetrievalSetting(name="section_boost", value=1.5).clean()


def test_only_what_differs_from_its_default_is_stored(operator):
    operator.post(SETTINGS, numbers(limit=9, boosts=False))

    assert dict(RetrievalSetting.objects.values_list("name", "value")) == {
        "limit": 9,
        "boosts": False,
    }


def test_back_to_the_default_leaves_nothing_stored(operator):
    operator.post(SETTINGS, numbers(limit=9))

    operator.post(SETTINGS, numbers())

    assert not RetrievalSetting.objects.exists()


def test_zero_is_a_number(operator):
    operator.post(SETTINGS, numbers(dense_weight=0))

    assert RetrievalSetting.objects.get().value == 0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"limit": 0}, "greater than or equal to 1", id="below its bound"),
        pytest.param({"limit": "veel"}, "Enter a whole number", id="not a number"),
        pytest.param(
            {"dense_weight": 0, "keyword_weight": 0},
            "At least one lane must have a weight.",
            id="both lanes off",
        ),
        pytest.param({"certain_from": 1.5}, "less than or equal to 1", id="above its bound"),
        pytest.param(
            {"escalated_limit": 30, "escalated_candidates": 20},
            "no fewer candidates can be fetched than are handed on",
            id="fewer candidates than passages",
        ),
    ],
)
def test_a_bad_number_is_refused_with_a_reason(operator, change, reason):
    page = operator.post(SETTINGS, numbers(**change))

    assert reason in page.text
    assert not RetrievalSetting.objects.exists()


def test_who_changed_which_number_is_kept(operator):
    from django.contrib.admin.models import LogEntry

    operator.post(SETTINGS, numbers(limit=9))

    assert "→ 9" in LogEntry.objects.get().change_message


@pytest.mark.parametrize(
    "listing", ["categorykeyword", "affinitycell", "unitphrase", "contentcategory"]
)
def test_a_list_costs_the_same_for_any_number_of_rows(
    hospital, operator, listing, cell, django_assert_max_num_queries
):
    with django_assert_max_num_queries(10):
        operator.get(f"/admin/retrieval/{listing}/")
