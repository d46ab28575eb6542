"""One turn on the terminal: what cannot be done is said, with another exit status than 0."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

QUESTION = "Welke oogartsen werken hier?"


def asked(capsys, *options):
    call_command("ask", QUESTION, "--hospital", "azm-mini", "--json", *options)
    return json.loads(capsys.readouterr().out)


def test_an_answer_as_json_has_all_that_is_promised(mini, capsys):
    assert asked(capsys).keys() >= {
        "answer", "language", "behaviour", "intent", "entities", "citations", "follow_ups",
        "verified", "degraded", "cached", "timings_ms", "trace", "certainty", "direct", "passages",
        "next_step", "related", "badge",
    }  # fmt: skip


@pytest.mark.parametrize(
    "history",
    [
        pytest.param([{"question": 7, "answer": "x"}], id="a number"),
        pytest.param([{"question": "x", "answer": None}], id="nothing"),
        pytest.param([{"question": "x", "answer": "y", "citations": "http://a"}], id="no list"),
        pytest.param([{"question": "x", "answer": "y", "citations": [1]}], id="no address"),
        pytest.param({"question": "x"}, id="no list of exchanges"),
        pytest.param("x", id="a text"),
    ],
)
def test_a_history_of_another_form_is_refused_with_its_form(mini, tmp_path, history):
    file = tmp_path / "history.json"
    file.write_text(json.dumps(history), encoding="utf-8")

    with pytest.raises(CommandError, match="its form is"):
        call_command("ask", QUESTION, "--hospital", "azm-mini", "--history", str(file))


def test_a_history_nested_without_end_is_refused(mini, tmp_path):
    file = tmp_path / "history.json"
    file.write_text("[" * 100_000, encoding="utf-8")

    with pytest.raises(CommandError, match="its form is"):
        call_command("ask", QUESTION, "--hospital", "azm-mini", "--history", str(file))


def test_a_history_that_cannot_be_read_is_told_in_a_sentence(mini, tmp_path):
    with pytest.raises(CommandError, match=r"nowhere\.json cannot be read: No such file"):
        call_command(
            "ask", QUESTION, "--hospital", "azm-mini", "--history", str(tmp_path / "nowhere.json")
        )


def test_a_category_that_there_is_not_is_refused(mini):
    with pytest.raises(CommandError, match="Brochures"):
        call_command("ask", QUESTION, "--hospital", "azm-mini", "--categories", "News,Brochures")


def test_a_language_that_we_do_not_speak_is_refused(mini):
    with pytest.raises((CommandError, SystemExit)):
        call_command("ask", QUESTION, "--hospital", "azm-mini", "--language", "zz")
