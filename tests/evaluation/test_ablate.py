"""A full factorial tells what each switch is worth, alone and together with another."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from evaluation.figures import JudgedAnswer
from evaluation.golden import Case
from evaluation.models import Run
from evaluation.reports import Combination, effects, factorial, factors_of
from evaluation.scores import Score
from zol.errors import BadInput


def cells(value_of, *, questions=40):
    """Cells of a and b whose recall follows from the states of both, by question."""

    def judged(flags, n):
        recall = Score(value_of(flags["a"], flags["b"], n))
        case = Case(str(n), "c", "nl", "?")
        return JudgedAnswer(case, passed=True, scores={"entity_recall": recall})

    return [
        Combination(flags, 0, tuple(judged(flags, n) for n in range(questions)))
        for flags in factorial(("a", "b"))
    ]


def test_every_combination_is_a_cell_and_neither_memory_nor_a_model_answers():
    off = {"cache": False, "model": False}

    assert factorial(("boosts", "roster")) == (
        off | {"boosts": True, "roster": True},
        off | {"boosts": True, "roster": False},
        off | {"boosts": False, "roster": True},
        off | {"boosts": False, "roster": False},
    )
    assert factorial(("cache",)) == (off | {"cache": True}, off)


def test_two_switches_that_add_up_have_no_interaction():
    """Recall = 0.2 + 0.3·a + 0.1·b."""
    found = effects(cells(lambda a, b, n: 0.2 + 0.3 * a + 0.1 * b), ("a", "b"), "entity_recall")

    assert found.main["a"].mean == pytest.approx(0.3)
    assert found.main["b"].mean == pytest.approx(0.1)
    assert found.pairs["a×b"].mean == pytest.approx(0.0, abs=1e-12)


def test_the_interval_comes_from_the_questions():
    """The effect is 0.4 for half of the questions and none for the others."""
    found = effects(cells(lambda a, b, n: 0.4 * a * (n % 2)), ("a", "b"), "entity_recall")

    effect = found.main["a"]
    assert effect.mean == pytest.approx(0.2)
    assert 0.12 < effect.low < 0.16
    assert 0.24 < effect.high < 0.28
    assert found.main["b"].low == found.main["b"].high == 0.0


@pytest.mark.parametrize("names", ["", "boosts,boosts", "boosts,turbo"])
def test_switches_must_be_known_and_named_once(names):
    with pytest.raises(BadInput):
        factors_of(names)


@pytest.mark.django_db
def test_the_command_runs_every_cell_through_the_pipeline(mini, tmp_path):
    said, file = StringIO(), tmp_path / "ablation.json"

    call_command("evaluate", "--ablate", "boosts,keyword", "--json", str(file), stdout=said)

    report = json.loads(file.read_text(encoding="utf-8"))
    assert [cell["flags"] for cell in report["cells"]] == [
        {"boosts": True, "keyword": True},
        {"boosts": True, "keyword": False},
        {"boosts": False, "keyword": True},
        {"boosts": False, "keyword": False},
    ]
    assert report["questions"] == 6
    assert report["main_effects"]["passed"].keys() == {"boosts", "keyword"}
    assert report["interactions"]["passed"].keys() == {"boosts×keyword"}
    assert Run.objects.filter(note="ablation", state=Run.State.FINISHED).count() == 4
    assert "Interactions on passed" in said.getvalue()
