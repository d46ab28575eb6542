"""Curated answers of a pack: optional, refused by line, and given back as they came."""

from __future__ import annotations

import json
import shutil

import pytest

from chat.models import CuratedAnswer
from evaluation.packs.export import export_pack
from evaluation.packs.findings import Change, PackRefused
from evaluation.packs.form import CURATED
from evaluation.packs.read import read_pack
from evaluation.packs.rows import answer_of
from evaluation.packs.write import load_pack
from taxonomy.models import Department
from tests.chat.sources.curated import ANSWER, EXAMPLES, PAGE
from tests.packs import MINI
from zol.tenancy import serving

LINE = {
    "key": "visiting-hours", "need": "visiting_hours", "subject": "department:oogziekten",
    "conditions": {"campus": "heide"}, "examples": EXAMPLES, "answer": ANSWER, "sources": [PAGE],
    "next_step": "helpdesk", "checked_in": ["nl"],
}  # fmt: skip


@pytest.fixture
def pack(tmp_path):
    return shutil.copytree(MINI, tmp_path / "pack")


@pytest.fixture
def own(mini, tmp_path, settings):
    """The small hospital; what a load keeps of its files is this test's own."""
    settings.MEDIA_ROOT = shutil.copytree(settings.MEDIA_ROOT, tmp_path / "media")
    yield mini
    CuratedAnswer.objects.all().delete()


def write(pack, *lines):
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    (pack / CURATED).write_text(text, encoding="utf-8")


def refusals(pack, *lines):
    write(pack, *lines)
    with pytest.raises(PackRefused) as refused:
        read_pack(pack)
    return str(refused.value)


def test_a_pack_without_curated_answers_is_a_pack(pack):
    assert read_pack(pack).rows[CURATED] == ()


def test_they_are_loaded_once_and_come_out_as_they_went_in(own, pack, tmp_path):
    write(pack, LINE)

    _, first = load_pack(read_pack(pack))
    _, second = load_pack(read_pack(pack))
    export_pack(own, tmp_path / "out")

    row = CuratedAnswer.objects.get()
    assert (row.subject.key, row.conditions, row.unread) == (
        "oogziekten", {"campus": "heide"}, ("en", "tr"),
    )  # fmt: skip
    assert first.of("curated answer", Change.ADDED) == 1
    assert second.of("curated answer", Change.UNCHANGED) == 1
    assert (tmp_path / "out" / CURATED).read_bytes() == (pack / CURATED).read_bytes()


def test_what_staff_changed_is_exported_and_read_again(own, pack, tmp_path):
    write(pack, LINE)
    load_pack(read_pack(pack))
    row = CuratedAnswer.objects.get()
    row.answer = {"nl": ANSWER["nl"]}
    row.examples = {"nl": EXAMPLES["nl"]}
    row.checked_in = {"nl": "Anna"}
    row.save()

    with serving(own):
        export_pack(own, tmp_path / "out")

    (record,) = read_pack(tmp_path / "out").rows[CURATED]
    assert answer_of(record.fields) == row.record
    assert record.fields["checked_in"] == {"nl": "Anna"}


def test_one_that_is_gone_from_the_pack_goes_and_what_staff_made_stays(own, pack):
    write(pack, LINE)
    load_pack(read_pack(pack))
    CuratedAnswer.objects.create(hospital=own, key="ours", need="wifi")
    (pack / CURATED).unlink()

    load_pack(read_pack(pack))

    assert [row.key for row in CuratedAnswer.objects.all()] == ["ours"]


def test_one_about_what_staff_hid_is_not_exported_as_no_pack_could_say_it(own, pack, tmp_path):
    write(pack, LINE)
    load_pack(read_pack(pack))
    Department.objects.filter(key="oogziekten").update(status=Department.Status.HIDDEN)

    export_pack(own, tmp_path / "out")

    assert not (tmp_path / "out" / CURATED).exists()


def test_what_is_wrong_is_told_with_its_line(pack):
    told = refusals(
        pack,
        LINE,
        LINE | {"key": "other", "need": "nothing"},
        LINE | {"key": "third", "sources": ["https://elsewhere.example/"]},
        LINE | {"key": "fourth", "answer": 3},
        LINE,
    )

    assert f"{CURATED}:2:1: need: There is no need “nothing”." in told
    assert f"{CURATED}:3:1: sources:" in told
    assert f"{CURATED}:4:1: answer:" in told
    assert f"{CURATED}:5:1: key:" in told
