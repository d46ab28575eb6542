"""A golden question that nothing could answer rightly is found before it is asked."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.cases import CATEGORIES, Case
from evaluation.consistency import counts, shortages
from tests.packs import ELSEWHERE, MINI
from zol.languages import LANGUAGES

ACCESS = "https://www.azm-mini.example/praktisch/bereikbaarheid"
LINE = {
    "id": "ok-1", "category": "navigation", "language": "nl", "expect": "answer",
    "question": "Waar ligt campus Oever?", "entities": ["Dijkstraat"], "sources": [ACCESS],
}  # fmt: skip


@pytest.fixture
def pack(tmp_path):
    return shutil.copytree(MINI, tmp_path / "pack")


def check(pack, *lines, partial=True):
    """Return what is said of a pack with these questions."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (pack / "golden.jsonl").write_text(text, encoding="utf-8")
    said = StringIO()
    call_command("check_golden", str(pack), *(["--partial"] if partial else []), stdout=said)
    return said.getvalue()


def first_words(pack, path):
    """Words of a page, as a reader of the site sees them."""
    from retrieval.ingestion.read import read

    media = {"html": "text/html", "pdf": "application/pdf"}[path.rpartition(".")[2]]
    blocks = read((pack / "pages" / path).read_bytes(), media)
    longest = max((block.text for block in blocks), key=len)
    return " ".join(longest.split()[1:8])


def test_a_right_question_is_right_and_no_database_is_needed(pack):
    """pytest-django forbids the database to a test that does not ask for it."""
    quote = {"url": ACCESS, "quote": first_words(pack, "praktisch/bereikbaarheid.html")}

    said = check(pack, LINE | {"passages": [quote]})

    assert "Everything that is referred to exists." in said
    assert f"{'navigation':<24}{1:>5}" in said


def test_a_quotation_of_a_brochure_is_looked_up_in_the_pdf(pack):
    url = "https://www.azm-mini.example/folders/cataractoperatie.pdf"
    quote = first_words(pack, "folders/cataractoperatie.pdf")

    check(pack, LINE | {"passages": [{"url": url, "quote": quote}]})
    with pytest.raises(CommandError, match="does not stand on"):
        check(pack, LINE | {"passages": [{"url": url, "quote": f"{quote} nooit gezegd"}]})


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        pytest.param({"category": "gossip"}, "category: “gossip” is none of", id="category"),
        pytest.param({"language": "pl"}, "language: “pl” is none of", id="language"),
        pytest.param({"intent": "wish"}, "intent: “wish” is none of", id="intent"),
        pytest.param({"content_category": "x"}, "content_category: “x” is none", id="subject"),
        pytest.param(
            {"sources": ["https://www.azm-mini.example/weg"]},
            "sources: there is no page",
            id="page",
        ),
        pytest.param(
            {"passages": [{"url": "https://a.example/", "quote": "x"}]},
            "passages: there is no page",
            id="page of a passage",
        ),
        pytest.param(
            {"passages": [{"url": ACCESS, "quote": "dit staat daar niet"}]},
            "passages: “dit staat daar niet” does not stand on",
            id="quotation",
        ),
        pytest.param(
            {"entities": ["Dr. Nergens Bekend"]},
            "entities: “Dr. Nergens Bekend” stands neither",
            id="name",
        ),
    ],
)
def test_what_refers_to_nothing_is_named_with_file_and_line(pack, changed, sentence):
    with pytest.raises(CommandError) as caught:
        check(pack, LINE, LINE | {"id": "ok-2", "question": "Iets anders?"} | changed)

    message = str(caught.value)
    assert f"{pack / 'golden.jsonl'}:2: {sentence}" in message
    assert "golden.jsonl:1:" not in message


@pytest.mark.parametrize(
    "entities",
    [
        pytest.param(["+32 11 00 10 00"], id="the hospital's number in another format"),
        pytest.param(["112"], id="the emergency number"),
        pytest.param(["Emre Caliskan"], id="a doctor without accents"),
        pytest.param(["Nergens|Longziekten"], id="one of two"),
    ],
)
def test_names_of_the_taxonomy_and_the_profile_are_known(pack, entities):
    check(pack, LINE | {"entities": entities, "sources": []})


def test_a_question_given_twice_is_found_however_it_is_written(pack):
    with pytest.raises(CommandError, match=r"jsonl:2: question: .* stands already at .*jsonl:1"):
        check(pack, LINE, LINE | {"id": "ok-2", "question": "waar ligt CAMPUS oever"})


def test_the_same_question_after_another_is_another(pack):
    follow = LINE | {"id": "ok-2", "turns": ["Ik kom met de bus.", LINE["question"]]}
    del follow["question"]

    check(pack, LINE, follow)


def test_an_id_given_twice_is_found(pack):
    with pytest.raises(CommandError, match="id: “ok-1” stands already"):
        check(pack, LINE, LINE | {"question": "Iets anders?"})


def test_a_set_that_is_too_small_is_not_complete(pack):
    with pytest.raises(CommandError) as caught:
        check(pack, LINE, partial=False)

    message = str(caught.value)
    assert "1 questions; at least 320 are needed." in message
    assert "category emergency has 0; at least 3 are needed." in message
    assert "language el has 0; at least 12 are needed." in message


def test_a_complete_set_lacks_nothing():
    languages = [str(language) for language in LANGUAGES]
    cases = [Case(str(n), CATEGORIES[n % 29], languages[n % 8], f"vraag {n}") for n in range(320)]

    assert list(shortages(cases, "golden.jsonl")) == []
    assert len(list(shortages(cases[:-1], "golden.jsonl"))) == 1
    categories, spoken = counts(cases)
    assert min(categories.values()) >= 11
    assert set(spoken.values()) == {40}


def test_the_hospital_nobody_tuned_for_has_a_whole_set_and_refers_to_what_exists():
    said = StringIO()

    call_command("check_golden", str(ELSEWHERE), stdout=said)

    assert "Everything that is referred to exists." in said.getvalue()


def test_what_is_held_out_there_is_like_what_may_be_looked_at():
    lines = [*map(json.loads, (ELSEWHERE / "golden.jsonl").read_text("utf-8").splitlines())]
    seen, held_out = lines[::2], lines[1::2]

    def kinds(half):
        return Counter((line["category"], line["expect"]) for line in half)

    def languages(half):
        return Counter(line["language"] for line in half)

    assert kinds(seen) == kinds(held_out)
    assert max(abs(languages(seen)[code] - languages(held_out)[code]) for code in LANGUAGES) <= 2


@pytest.mark.django_db
def test_the_rows_of_a_hospital_are_held_against_its_own_pages(mini):
    with pytest.raises(CommandError) as caught:
        call_command("check_golden", "--hospital", mini.slug, "--partial", stdout=StringIO())

    message = str(caught.value)
    assert "golden question mini-001: category: “navigational” is none of" in message
    assert "sources" not in message
    assert "entities" not in message
