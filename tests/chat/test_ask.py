"""The command `ask` prints one turn; errors are sentences with a non-zero exit status."""

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


def refused(*options):
    with pytest.raises(CommandError) as error:
        call_command("ask", QUESTION, "--hospital", "azm-mini", *options)
    return str(error.value)


@pytest.mark.parametrize(
    "history",
    [
        pytest.param('[{"question": 7, "answer": "x"}]', id="a number"),
        pytest.param('[{"question": "x", "answer": "y", "citations": [1]}]', id="no address"),
        pytest.param('{"question": "x"}', id="no list of exchanges"),
        pytest.param("[" * 100_000, id="nested without end"),
    ],
)
def test_a_history_of_another_form_is_refused_with_its_form(mini, tmp_path, history):
    file = tmp_path / "history.json"
    file.write_text(history, encoding="utf-8")

    assert "write it as" in refused("--history", str(file))


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--history", "/nowhere.json", "/nowhere.json cannot be read: No such file"),
        ("--categories", "News,Brochures", "Brochures"),
        ("--language", "zz", "zz"),
    ],
)
def test_what_there_is_not_is_refused_by_name(mini, option, value, said):
    assert said in refused(option, value)
