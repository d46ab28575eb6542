"""`benchmark_reading` asks both forms of questions, over what nothing was learned from."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

SENTENCES = ["The castle was built in 1180 by Count Philip.", "It stands beside the river Leie."]
STATEMENTS = ["Parkeren kost 2 euro per uur.", "Het bezoekuur is van 14 tot 20 uur."]


def write(path: Path, *rows: object) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "en.articles.jsonl", {"article": 2, "paragraphs": [0], "sentences": SENTENCES},
          {"article": 0, "paragraphs": [0], "sentences": SENTENCES})  # fmt: skip
    write(tmp_path / "en.questions.jsonl", *(
        {"id": f"en-{n}", "language": "en", "article": n, "question": "Who built the castle?",
         "right": [0]} for n in (0, 2)
    ))  # fmt: skip
    said = [
        {"n": n, "heading": "Praktisch", "sort": "text", "text": text}
        for n, text in enumerate(STATEMENTS, 1)
    ]
    write(tmp_path / "pages.jsonl", {"id": "a", "title": "Bezoek", "site": "az-dijk",
                                     "language": "nl", "statements": said})  # fmt: skip
    write(tmp_path / "questions.jsonl", {"page": "a", "language": "nl", "answers": [2], "helps": [],
                                         "question": "tot hoe laat mag ik op bezoek komen?",
                                         "twin": "mag mijn hond mee?"})  # fmt: skip
    return tmp_path


def told(folder: Path, *options: str) -> dict[str, list[str]]:
    out = StringIO()
    call_command("benchmark_reading", str(folder), *options, stdout=out)
    return {line[:12].strip(): line[12:].split() for line in out.getvalue().splitlines()}


def test_only_what_nothing_was_learned_from_is_measured(folder: Path) -> None:
    lines = told(folder)
    assert lines["en"][0] == "1"
    assert "sites nl" not in lines


def test_all_of_a_folder_is_measured_where_it_is_said_that_nothing_was_learned_from_it(
    folder: Path,
) -> None:
    lines = told(folder, "--all")
    assert lines["en"][0] == "2"
    assert lines["sites nl"][0] == "1"
    assert lines["sites nl"][4] == "1.000"


def test_a_folder_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no questions"):
        call_command("benchmark_reading", str(tmp_path))
