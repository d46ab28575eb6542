"""A hospital learns before its patients do what its model is fit for."""

import json
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.management.commands.try_model import (
    ANSWERED,
    BY_MODEL,
    RIGHT,
    SUPPORTED,
    WRONG,
    fitness,
)
from tests.chat.model.conftest import purpose_of
from tests.scripted import Line, llm_at, scripted_endpoint

pytestmark = pytest.mark.django_db


def answer(request):
    """Say the first line of a page as it stands."""
    told = request["messages"][-1]["content"]
    found = re.search(r"^\[(2\.\d+)\] (.+)$", told, re.MULTILINE)
    lines, text = ([found[1]], found[2]) if found else ([], "")
    said = {"lines": lines, "form": "sentence", "text": text}
    return json.dumps({"status": "complete", "statements": [said], "missing": []})


def honest(request):
    """Support what its lines say word by word."""
    parts = request["messages"][-1]["content"].split("Statement ")[1:]
    given = []
    for part in parts:
        said, lines = part.partition(": ")[2].split("\nIts lines:\n")
        support = "supported" if said.strip() in lines else "contradicted"
        given.append({"n": len(given) + 1, "support": support, "condition_dropped": False})
    return json.dumps({"verdicts": given})


def tried(settings, **replies):
    def reply(request):
        wanted = replies.get(purpose_of(request), "No JSON.")
        return Line(wanted(request) if callable(wanted) else wanted)

    with scripted_endpoint(reply) as endpoint:
        settings.LLM = llm_at(endpoint)
        said = StringIO()
        call_command("try_model", stdout=said)
        return said.getvalue()


def test_an_honest_model_is_fit(mini, settings):
    said = tried(settings, answer=answer, verdict=honest)

    assert said.rstrip().endswith("This model is fit."), said


@pytest.mark.parametrize(
    ("answered", "right", "wrong", "told"),
    [
        ((19, 1), (9, 1), (3, 7), "fit"),
        ((19, 1), (8, 2), (3, 7), "fit for explained statements and quotations only"),
        ((19, 1), (9, 1), (4, 6), "fit for explained statements and quotations only"),
        ((15, 5), (10, 0), (0, 10), "unfit"),
    ],
)
def test_fitness_is_held_to_what_the_checks_were_measured_with(answered, right, wrong, told):
    seen = {}
    for name, outcome, (yes, no) in (
        (ANSWERED, BY_MODEL, answered), (RIGHT, SUPPORTED, right), (WRONG, SUPPORTED, wrong),
    ):  # fmt: skip
        seen[name] = {outcome: yes, "otherwise": no}

    assert fitness(seen) == told


def test_without_a_model_there_is_nothing_to_try(mini):
    with pytest.raises(CommandError, match="OPENAI_API_KEY"):
        call_command("try_model")
