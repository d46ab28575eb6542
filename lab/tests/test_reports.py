"""`python -m lab reports` plays the cases of a folder, and pages in 40 layouts come out whole."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from lab.commands.reports import Command
from lab.files.cases import faults_of_chat
from lab.files.layouts import FURNITURE, HEADS, MUSTS, pages
from retrieval.reading.blocks import Block, Sort
from retrieval.reading.html import read_html

PAGE = "<html><body><main><h1>Oogkliniek</h1><p>Bel 012 00 44 61 van {}.</p></main></body></html>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cases = [
        {"id": "H-1", "kind": "hours", "must": ["9 tot 12"], "must_not": ["\\?"]},
        {"id": "H-2", "kind": "hours", "must": ["13 tot 16"], "must_not": ["9 tot"]},
    ]
    page = {"file": "a.html", "media": "text/html"}
    sheet = {"id": "X-1", "kind": "sheet", "file": "a.csv", "media": "table", "model": "department"}
    cells = {"cells": [[2, "phone", "012 00 44 61"], [3, "phone", None]]}
    (tmp_path / "a.html").write_text(PAGE.format("9 tot 12 uur"))
    (tmp_path / "a.csv").write_text("key,phone\noog,012 00 44 61\nneus,12\n")
    lines = [each | page for each in cases] + [sheet | cells]
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, lines)))
    link = {"text": "Bel 012 00 44 61 (9-12 uur).", "links": ["012004461"]}
    (tmp_path / "links.jsonl").write_text(json.dumps(link))
    return tmp_path


def played(*words: str) -> list[str]:
    out = StringIO()
    call_command(Command(), *words, stdout=out)
    return out.getvalue().splitlines()


def test_each_failure_is_a_line_and_each_kind_a_count(folder: Path) -> None:
    assert played("--from", str(folder)) == [
        "H-2: lacks 13 tot 16; has 9 tot",
        "hours              1 of 2",
        "sheet              1 of 1",
        "links              1 of 1",
        "whole: 3 of 4",
    ]


def test_one_kind_can_be_asked_for(folder: Path) -> None:
    assert played("--from", str(folder), "--kind", "link")[-1] == "whole: 1 of 1"


def test_what_the_pages_of_the_layouts_must_say_comes_out_and_hardly_any_furniture() -> None:
    missing, needless, furniture = [], [], 0
    made = list(pages())
    for page in made:
        blocks = read_html(page.html.encode())
        missing += page.missing(blocks)
        needless += page.needless(blocks)
        furniture += len(page.furniture())

    assert len(made) == 40
    assert not missing
    assert len(needless) <= 0.02 * furniture


def test_a_layout_tells_what_is_missing_and_what_is_needless() -> None:
    page = next(iter(pages()))
    text = [Block(Sort.TEXT, text) for text in page.furniture()]

    assert set(page.missing(text)) == page.shown & (MUSTS | HEADS.keys())
    assert page.needless(text) == page.furniture()
    assert page.shown & FURNITURE


@pytest.mark.django_db
@pytest.mark.usefixtures("mini")
def test_a_conversation_is_asked_and_its_last_answer_read() -> None:
    case = {"language": "nl", "turns": ["Hallo", "Hoeveel kost parkeren?"]}
    right = case | {"behaviours": ["answer"], "must": ["€|euro"], "must_not": ["112"]}

    assert [*faults_of_chat(right)] == []
    assert [*faults_of_chat(right | {"behaviours": ["emergency"], "must": ["brandweer"]})] == [
        "answer, not ['emergency']",
        "lacks brandweer",
    ]
