"""`manage.py understand` shows how a published hospital understands a question."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from taxonomy.publishing.versions import publish
from taxonomy.vocabulary import Kind, Predicate
from tests import factories
from tests.taxonomy.releases import publish_draft
from zol.models import Hospital

pytestmark = pytest.mark.django_db

KEYS = {
    "intent", "entities", "language", "rewrite", "resolver", "topic", "red_flag", "advice", "attack",
    "redacted", "ms",
}  # fmt: skip


@pytest.fixture
def published(hospital: Hospital) -> Hospital:
    dermatology = factories.entity(hospital, Kind.DEPARTMENT, "Dermatologie", "huidarts")
    syphilis = factories.entity(hospital, Kind.CONDITION, "Syfilis", "fr:syphilis")
    factories.relate(dermatology, Predicate.HANDLES, syphilis)
    publish(hospital, by=None)
    return hospital


@pytest.fixture
def with_words(published: Hospital) -> Hospital:
    """The published hospital, with the default rows of words."""
    factories.with_defaults(published)
    publish_draft(published)
    return published


def understand(*arguments: str) -> list[dict[str, Any]]:
    out = StringIO()
    call_command("understand", *arguments, "--json", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_shows_what_is_understood(with_words: Hospital) -> None:
    (found,) = understand("Quel service traite la syphilis ?")

    assert found.keys() >= KEYS
    assert found["language"] == "fr"
    assert found["intent"] == "department_or_service_lookup"
    assert found["resolver"] == "condition"
    assert [entity["name"] for entity in found["entities"]] == ["Syfilis", "Dermatologie"]
    assert "Syfilis" in found["rewrite"]


def test_reads_a_file_of_questions(with_words: Hospital, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(
        '{"text": "ik heb pijn op de borst"}\n\n{"text": "bel 0470 12 34 56", "language": "nl"}\n',
        encoding="utf-8",
    )

    first, second = understand("--file", str(file), "--hospital", "test")

    assert first["red_flag"] == "chest_pain"
    assert second["redacted"] == ["telefoon"]
    assert "0470" not in json.dumps(second)


def test_says_where_a_file_is_wrong(published: Hospital, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    for line in ("{", "[]", '{"question": "x"}', '{"text": 7}', '{"text": "x", "language": "xx"}'):
        file.write_text(f'{{"text": "goed"}}\n{line}\n', encoding="utf-8")

        with pytest.raises(CommandError, match=r"questions\.jsonl:2"):
            understand("--file", str(file))


def test_a_file_is_text_and_may_begin_with_a_byte_order_mark(published, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text('{"text": "huidarts"}\n', encoding="utf-8-sig")
    assert len(understand("--file", str(file))) == 1

    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match="cannot be read"):
        understand("--file", str(file))


def test_wants_one_question_or_a_file(published: Hospital) -> None:
    for arguments in ((), ("a question", "--file", "x"), ("--file", "/nowhere")):
        with pytest.raises(CommandError):
            understand(*arguments)


@pytest.mark.parametrize(("slug", "said"), [("nowhere", "nowhere"), ("test", "published")])
def test_a_hospital_must_exist_and_be_published(hospital: Hospital, slug, said) -> None:
    with pytest.raises(CommandError, match=said):
        understand("vraag", "--hospital", slug)
