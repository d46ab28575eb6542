"""Staff write curated answers in a form that says what is wrong, in each language."""

import pytest

from chat.models import CuratedAnswer
from retrieval.models import Document
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
PAGE = "/admin/chat/curatedanswer/"
BOEK = "https://zt.example/bezoek"
WHOLE = {
    "key": "visiting-hours", "need": "visiting_hours", "conditions": "{}", "sources": BOEK,
    "answer_nl": "Dagelijks 14.00–20.00 uur.", "read_nl": "Anna",
    "examples_nl": "bezoekuren\nhoe laat is het bezoek\nmag ik nu komen",
    "answer_fr": "Tous les jours 14 h–20 h.",
    "examples_fr": "heures de visite\nquand puis-je venir\nvisites le soir",
}  # fmt: skip


@pytest.fixture
def curator(hospital):
    Document.objects.create(hospital=hospital, path="bezoek.html", url=BOEK, title="Bezoek")
    return signed_in(hospital, Role.CURATOR)


def test_an_answer_is_saved_with_its_languages_and_who_read_it(curator):
    curator.post(f"{PAGE}add/", WHOLE)

    row = CuratedAnswer.objects.get()
    assert row.answer == {"nl": WHOLE["answer_nl"], "fr": WHOLE["answer_fr"]}
    assert row.examples["nl"] == ["bezoekuren", "hoe laat is het bezoek", "mag ik nu komen"]
    assert (row.checked_in, row.unread) == ({"nl": "Anna"}, ("fr",))
    page = curator.get(f"{PAGE}{row.pk}/change/").content.decode()
    assert "Tous les jours 14 h–20 h." in page
    assert curator.get(f"{PAGE}?unread=fr").context["cl"].result_count == 1
    assert curator.get(f"{PAGE}?unread=nl").context["cl"].result_count == 0


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("sources", "https://elsewhere.example/", "is not a page of this hospital"),
        ("answer_fr", "", "This language has example questions but no answer: fr."),
        ("examples_nl", "bezoekuren", "at least three example questions"),
        ("conditions", "[]", "Write it as in the example."),
    ],
)
def test_what_is_wrong_is_told_at_its_field(curator, field, value, sentence):
    page = curator.post(f"{PAGE}add/", WHOLE | {field: value})

    assert sentence in page.content.decode()
    assert not CuratedAnswer.objects.exists()


def test_who_edits_an_answer_sees_it_as_patients_will(curator):
    curator.post(f"{PAGE}add/", WHOLE | {"answer_fr": "**Toujours**:\n\n- 14 h–20 h"})

    page = curator.get(f"{PAGE}{CuratedAnswer.objects.get().pk}/change/").text
    listed = curator.get(PAGE).text

    assert "<strong>Toujours</strong>" in page
    assert "<li>14 h–20 h</li>" in page
    assert "Toujours" in listed
    assert "**" not in listed
