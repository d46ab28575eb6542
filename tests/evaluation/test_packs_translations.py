"""Translations of a pack: optional, refused by line, and given back as they came."""

from __future__ import annotations

import json
import shutil

import pytest

from chat.models import PassageTranslation
from evaluation.packs.export import export_pack
from evaluation.packs.findings import Change, PackRefused
from evaluation.packs.form import TRANSLATIONS
from evaluation.packs.read import read_pack
from evaluation.packs.write import load_pack
from tests.packs import MINI
from zol.tenancy import serving


@pytest.fixture
def pack(tmp_path):
    return shutil.copytree(MINI, tmp_path / "pack")


@pytest.fixture
def own(mini, tmp_path, settings):
    """The small hospital; what a load keeps of its files is this test's own."""
    settings.MEDIA_ROOT = shutil.copytree(settings.MEDIA_ROOT, tmp_path / "media")
    return mini


def line_of(pack):
    return json.loads((pack / TRANSLATIONS).read_text(encoding="utf-8"))


def write(pack, *lines):
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    (pack / TRANSLATIONS).write_text(text, encoding="utf-8")


def test_a_pack_without_translations_is_a_pack(pack):
    (pack / TRANSLATIONS).unlink()

    assert read_pack(pack).rows[TRANSLATIONS] == ()


def test_what_was_loaded_is_given_back(own, pack, tmp_path):
    with serving(own):
        _, changes = load_pack(read_pack(pack))
        export_pack(own, tmp_path / "out")

    assert changes.of("translation", Change.UNCHANGED) == 1
    assert (tmp_path / "out" / TRANSLATIONS).read_bytes() == (pack / TRANSLATIONS).read_bytes()


def test_what_is_gone_from_the_pack_is_gone_and_what_staff_wrote_stays(own, pack):
    with serving(own):
        said = line_of(pack)
        staff = PassageTranslation(
            hospital=own, page=said["page"], source=said["source"], language="en", text="x"
        )
        staff.save()
        write(pack)
        load_pack(read_pack(pack))

        assert [row.language for row in PassageTranslation.objects.all()] == ["en"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"page": "elsewhere.html"}, "is no page of this pack"),
        ({"text": "Kısa."}, "translate each as one"),
        ({"language": "nl"}, "is no other language"),
        ({"text": None}, "text: Input should be a valid string"),
    ],
)
def test_what_is_wrong_is_refused_by_its_line(pack, change, sentence):
    write(pack, line_of(pack) | change)

    with pytest.raises(PackRefused) as refused:
        read_pack(pack)

    assert TRANSLATIONS in str(refused.value)
    assert sentence in str(refused.value)


def test_a_section_is_translated_once_into_a_language(pack):
    write(pack, line_of(pack), line_of(pack))

    with pytest.raises(PackRefused, match="stands already at"):
        read_pack(pack)
