"""Translations of a pack: optional, refused by line, and given back as they came."""

import json

import pytest

from chat.models import PassageTranslation
from chat.packs import TRANSLATIONS as SHEET
from taxonomy.packs.findings import Change, PackRefused
from taxonomy.packs.folder import export_pack, load_pack, read_pack
from zol.tenancy import serving

TRANSLATIONS = SHEET.file


def line_of(pack):
    return json.loads((pack / TRANSLATIONS).read_text(encoding="utf-8"))


def write(pack, *lines):
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    (pack / TRANSLATIONS).write_text(text, encoding="utf-8")


def test_a_pack_without_translations_is_a_pack(pack):
    (pack / TRANSLATIONS).unlink()

    assert read_pack(pack).rows[TRANSLATIONS] == ()


def test_what_was_loaded_is_given_back(mini, pack, tmp_path):
    with serving(mini):
        _, changes = load_pack(read_pack(pack))
        export_pack(mini, tmp_path / "out")

    assert changes.of("translation", Change.UNCHANGED) == 1
    assert (tmp_path / "out" / TRANSLATIONS).read_bytes() == (pack / TRANSLATIONS).read_bytes()


def test_what_is_gone_from_the_pack_is_gone_and_what_staff_wrote_stays(mini, pack):
    with serving(mini):
        said = line_of(pack)
        staff = PassageTranslation(
            hospital=mini, page=said["page"], source=said["source"], language="en", text="x"
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
        ({"language": "nl"}, "is not a different language"),
        ({"text": None}, "text: the field is missing"),
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
