"""Curated answers and translations in a pack."""

import json

import pytest

from chat.models import CuratedAnswer
from chat.packs import CURATED as SHEET
from chat.packs import TRANSLATIONS, answer_of
from taxonomy.models import Department
from taxonomy.packs.findings import Change, PackRefused
from taxonomy.packs.folder import export_pack, load_pack, read_pack
from tests.chat.sources.curated import ANSWER, EXAMPLES, PAGE
from zol.tenancy import serving

CURATED, ANSWERED = SHEET.file, '"answer"'
LINE = {
    "key": "visiting-hours", "need": "visiting_hours", "subject": "department:oogziekten",
    "conditions": {"campus": "heide"}, "examples": EXAMPLES, "answer": ANSWER, "sources": [PAGE],
    "next_step": "helpdesk", "checked_in": ["nl"],
}  # fmt: skip


def write(pack, *lines, file=CURATED):
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    (pack / file).write_text(text, encoding="utf-8")


def refusals(pack, *lines, file=CURATED):
    write(pack, *lines, file=file)
    with pytest.raises(PackRefused) as refused:
        read_pack(pack)
    return str(refused.value)


def test_curated_answers_are_loaded_once_and_exported_unchanged(mini, pack, tmp_path):
    write(pack, LINE)

    _, first = load_pack(read_pack(pack))
    _, second = load_pack(read_pack(pack))
    export_pack(mini, tmp_path / "out")

    row = CuratedAnswer.objects.get()
    assert (row.subject.key, row.conditions, row.unread) == (
        "oogziekten", {"campus": "heide"}, ("en", "tr"),
    )  # fmt: skip
    assert first.of("curated answer", Change.NEW) == 1
    assert second.of("curated answer", Change.UNCHANGED) == 1
    assert (tmp_path / "out" / CURATED).read_bytes() == (pack / CURATED).read_bytes()


def test_changed_answers_are_exported_and_read_again(mini, pack, tmp_path):
    write(pack, LINE)
    load_pack(read_pack(pack))
    row = CuratedAnswer.objects.get()
    row.answer = {"nl": ANSWER["nl"]}
    row.examples = {"nl": EXAMPLES["nl"]}
    row.checked_in = {"nl": "Anna"}
    row.save()

    with serving(mini):
        export_pack(mini, tmp_path / "out")

    (record,) = read_pack(tmp_path / "out").rows[CURATED]
    assert answer_of(record.fields) == row.record
    assert record.fields["checked_in"] == {"nl": "Anna"}


def test_an_answer_about_a_hidden_department_is_not_exported(mini, pack, tmp_path):
    write(pack, LINE)
    load_pack(read_pack(pack))
    Department.objects.filter(key="oogziekten").update(status=Department.Status.HIDDEN)

    export_pack(mini, tmp_path / "out")

    assert not (tmp_path / "out" / CURATED).exists()


def test_mistakes_are_reported_with_their_line(pack):
    told = refusals(
        pack,
        LINE,
        LINE | {"key": "other", "need": "nothing"},
        LINE | {"key": "third", "sources": ["https://elsewhere.example/"]},
        LINE | {"key": "fourth", "answer": 3},
        LINE,
    )

    assert f"{CURATED}:2:1: need: “nothing” is not a kind of question" in told
    assert f"{CURATED}:3:1: sources:" in told
    fourth = json.dumps(LINE | {"key": "fourth"}, ensure_ascii=False)
    assert f"{CURATED}:4:{fourth.index(ANSWERED) + 1}: answer:" in told
    assert f"{CURATED}:5:1: key:" in told


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"page": "elsewhere.html"}, "is no page of this pack"),
        ({"text": "Kısa."}, "translate each as one"),
        ({"language": "nl"}, "is the language of the page"),
        ({"text": None}, "text: the field is missing"),
    ],
)
def test_invalid_translations_are_reported_with_their_line(pack, change, sentence):
    said = json.loads((pack / TRANSLATIONS.file).read_text(encoding="utf-8"))

    told = refusals(pack, said | change, file=TRANSLATIONS.file)

    assert told.startswith(f"{TRANSLATIONS.file}:1:")
    assert sentence in told
