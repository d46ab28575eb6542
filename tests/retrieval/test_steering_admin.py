"""Steering: the matrix as a grid, and every number of retrieval as a form field."""

from dataclasses import asdict

import pytest
from django.core.exceptions import ValidationError

from retrieval.intents import Intent
from retrieval.models import (
    AffinityCell,
    CategoryMismatch,
    ContentCategory,
    RetrievalSetting,
    SteeringRoute,
)  # fmt: skip
from retrieval.models.steering import INTENT_NAMES
from retrieval.tuning import SETTINGS, RetrievalTuning
from taxonomy.models.entities import KIND_NAMES
from taxonomy.vocabulary import Kind
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
MATRIX = "/admin/retrieval/affinitycell/matrix/"
FORM = "/admin/retrieval/retrievalsetting/all/"
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


def test_the_matrix_stores_what_was_changed(cell, operator):
    changes = {f"{ROW}__{CATEGORY}": "0.9", f"{ROW}__general": "1.1"}
    saved = operator.post(MATRIX, grid(**changes), follow=True)

    assert "Send the draft for approval" in saved.text
    factors = AffinityCell.objects.values_list("category", "factor")
    assert dict(factors) == {CATEGORY: 0.9, "general": 1.1}


def test_a_cell_shows_its_questions_from_twenty_on(cell, operator):
    fields = {"mismatch_rate": 0.2, "chunks_total": 5, "chunks_off_category": 1}
    rows = [
        CategoryMismatch(
            hospital=cell.hospital, steering_row=ROW, categories=[CATEGORY],
            changed_by=[CATEGORY] if number < 4 else [], **fields,
        )
        for number in range(20)
    ]  # fmt: skip
    CategoryMismatch.objects.bulk_create(rows[1:])
    assert "<small>–</small>" in operator.get(MATRIX).text
    assert "<small>19" not in operator.get(MATRIX).text

    rows[0].save()

    assert "<small>20 / 4</small>" in operator.get(MATRIX).text


def test_a_factor_beyond_the_bounds_is_refused_in_words(cell, operator):
    page = operator.post(MATRIX, grid(**{f"{ROW}__{CATEGORY}": "2"}))

    assert "A number lies between 0.55 and 1.3." in page.text
    cell.refresh_from_db()
    assert cell.factor == 0.75


def test_a_route_leads_to_a_row_of_the_matrix(cell, operator):
    url = "/admin/retrieval/steeringroute/add/"

    refused = operator.post(url, {"intent": "doctor_lookup", "topic": "", "row": "nowhere"})
    operator.post(url, {"intent": "doctor_lookup", "topic": "", "row": ROW})

    assert "Select a valid choice" in refused.text
    assert SteeringRoute.objects.get().row == ROW


def test_every_default_lies_within_its_bounds_and_every_intent_and_kind_has_a_name():
    defaults = asdict(RetrievalTuning())

    assert all(setting.allows(defaults[name]) for name, setting in SETTINGS.items())
    assert list(INTENT_NAMES) == list(Intent)
    assert set(KIND_NAMES) == set(Kind)


def test_there_are_at_most_twenty_numbers_each_with_one_sentence():
    numbers = [each for each in asdict(RetrievalTuning()).values() if not isinstance(each, bool)]

    assert len(numbers) <= 20
    assert all(setting.help.endswith(".") for setting in SETTINGS.values())


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


def test_only_what_differs_from_its_default_is_stored(operator):
    operator.post(FORM, numbers(limit=9, boosts=False, dense_weight=0))

    assert dict(RetrievalSetting.objects.values_list("name", "value")) == {
        "limit": 9,
        "boosts": False,
        "dense_weight": 0,
    }


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"limit": 0}, "greater than or equal to 1", id="below its bound"),
        pytest.param({"limit": "veel"}, "Enter a whole number", id="not a number"),
        pytest.param(
            {"dense_weight": 0, "keyword_weight": 0},
            "Give at least one search method a weight above 0.",
            id="both lanes off",
        ),
        pytest.param({"bm25_b": 1.5}, "less than or equal to 1", id="above its bound"),
    ],
)
def test_a_bad_number_is_refused_with_a_reason(operator, change, reason):
    page = operator.post(FORM, numbers(**change))

    assert reason in page.text
    assert not RetrievalSetting.objects.exists()
