"""A hospital in France, the first that is not Dutch: `ma` was read as Monday and `di` as Tuesday
without a word, an alias without a prefix was Dutch, its numbers were dialled as Belgian ones."""

import pytest

from chat import services
from chat.channels.frames import html_here
from chat.phrases import phrases_of
from chat.turn import Turn
from taxonomy.models import Department
from taxonomy.packs.folder import export_pack, load_pack, read_pack
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.versions import publish
from tests.packs import CLAIRVAL
from zol.tenancy import serving


def rows(file):
    return {row.fields["key"]: row.fields for row in read_pack(CLAIRVAL).rows[f"taxonomy/{file}"]}


def test_its_pack_is_read_in_french():
    doctors = rows("doctors.csv")
    aliases = rows("departments.csv")["maternite"]["aliases"]

    assert read_pack(CLAIRVAL).warnings == ()
    assert doctors["yann-le-goff"]["schedule"] == "mardi-vendredi 14:00-17:00@tilleuls"
    assert doctors["nadia-benyoucef"]["schedule"] == (
        "lundi 9:00-12:30@tilleuls|dimanche 9:00-11:00@tilleuls"
    )
    assert [(alias.language, alias.text) for alias in aliases] == [
        ("fr", "obstétrique"),
        ("fr", "salle de naissance"),
        ("nl", "kraamafdeling"),
        ("en", "maternity"),
    ]


@pytest.fixture
def clairval(mini):
    hospital, _changes = load_pack(read_pack(CLAIRVAL))
    with serving(hospital):
        publish(hospital, by=None)
        yield hospital


def answer(question, language):
    return services.take_turn(Turn(question, language)).context.answer


def test_it_answers_in_french_dutch_and_english(clairval, tmp_path):
    hours = "lu-ve 9h00-12h30, 13h30-17h00; di fermé; secrétariat ma 8h"
    say = phrases_of(live_snapshot()).hours

    assert say(hours, "fr") == (
        "lundi-vendredi 9h00-12h30, 13h30-17h00; dimanche fermé; secrétariat mardi 8h"
    )
    assert say(hours, "nl") == (
        "maandag-vrijdag 9u00-12u30, 13u30-17u00; zondag gesloten; secretariaat dinsdag 8h"
    )
    told = answer("Comment joindre le service de médiation ?", "fr")
    assert "Service de médiation" in told
    assert "service Service" not in told
    assert '<a href="tel:+33261911040">02 61 91 10 40</a>' in html_here(told)
    assert "dinsdag 8:30-12:00" in answer("Wanneer heeft dokter Marchais raadpleging?", "nl")
    assert "Sunday 9:00-11:00" in answer("When does doctor Benyoucef see patients?", "en")
    assert "15" in answer("mon père ne respire plus", "fr")

    # Its tables are written as they are read, also where one is written anew.
    Department.objects.filter(key="imagerie").update(phone="02 61 91 11 39")

    export_pack(clairval, tmp_path / "out")
    told = (tmp_path / "out/taxonomy/departments.csv").read_text(encoding="utf-8")
    assert "imagerie,Imagerie médicale,radiologie|radio|scanner|nl:radiologie|en:radiology," in told
