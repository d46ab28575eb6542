"""The pages that patients use, without script: chat, results, sources; and the JSON interface."""

import json
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from lxml import html

from chat.channels.views import linked
from chat.models import Conversation, Intervention, Message
from retrieval.ingestion.process import keep_original
from retrieval.models import Chunk, Document
from tests import factories
from tests.answering import mini_hospital
from tests.zol.staff import signed_in
from zol.clock import hospital_now
from zol.languages import LANGUAGES
from zol.models import Hospital, Role
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
HOST = "azm-mini.localhost"
QUESTION = "Wat zijn de bezoekuren?"


@pytest.fixture
def mini(untouched, db):
    """The small hospital, in a transaction: a test may change its rows."""
    row = mini_hospital()
    with serving(row):
        yield row


@pytest.fixture
def visitor(client):
    client.defaults["HTTP_HOST"] = HOST
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "nl-BE"
    return client


@pytest.fixture
def unknown(client):
    """A hospital that has published nothing yet."""
    factories.hospital(slug="nieuw", name="Ziekenhuis Nieuw", phone="089 11 11 11")
    client.defaults["HTTP_HOST"] = "nieuw.localhost"
    return client


def chunk_of(path="praktisch/bezoek.html"):
    return Chunk.objects.filter(document__path=path).order_by("ordinal").first()


def ask(visitor, **asked):
    return visitor.post("/api/v1/chat", json.dumps(asked), content_type="application/json")


# The chat page.


def test_the_assistant_says_what_it_is_before_the_first_question(mini, visitor):
    page = visitor.get("/")

    assert page.status_code == 200
    assert "niet met een mens" in page.text
    assert "Typ geen persoonlijke gegevens" in page.text
    assert 'href="tel:112"' in page.text
    assert re.search(r'<form[^>]*method="get"[^>]*action="/zoek"', page.text)
    assert 'href="/zoek?q=Wat%20zijn%20de%20bezoekuren%3F"' in page.text


@pytest.mark.parametrize("path", ["/", "/zoek"])
def test_what_the_whole_hospital_is_told_now_stands_above_the_field(mini, visitor, path):
    day = hospital_now().date()
    usual = {"hospital": mini, "kind": "bulletin", "valid_to": day}
    later = usual | {"valid_from": day + timedelta(days=1), "valid_to": day + timedelta(days=2)}
    Intervention.objects.create(**usual, text_nl="Parking Noord is dicht.")
    Intervention.objects.create(**usual, text_nl="Bezoek tot 16 uur.", questions="bezoek uren")
    Intervention.objects.create(**later, text_nl="Staking.")

    (told,) = html.fromstring(visitor.get(f"{path}?language=fr").text).xpath(
        "//section[h2[@id='bulletin-1']][following::textarea]"
    )

    assert "Avis de l'hôpital" in told.xpath("string(h2)")
    assert told.xpath("string(div[@lang='nl'])").strip() == "Parking Noord is dicht."


def test_nothing_on_the_page_needs_a_looser_policy(mini, visitor):
    page = visitor.get("/")

    policy = page.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert not re.search(r"<script(?![^>]*(src=|application/json))", page.text)
    assert not re.search(r"\sstyle=|\son\w+=", page.text)
    (nonce,) = re.findall(r'<style nonce="([^"]+)">', page.text)
    assert page.text.count("<style") == 1
    assert f"'nonce-{nonce}'" in policy
    assert nonce not in visitor.get("/").text


def test_a_language_that_was_asked_for_is_kept_where_the_hospital_offers_it(mini, visitor):
    page = visitor.get("/?language=tr")

    assert 'hreflang="de"' in page.text
    assert 'hreflang="tr"' not in page.text
    assert '<html lang="nl">' in page.text
    assert 'lang="fr"' in visitor.get("/?language=fr").text
    assert "Comment pouvons-nous" in visitor.get("/zoek").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_every_language(mini, visitor, language):
    Hospital.objects.update(languages=list(LANGUAGES))
    from zol.access.hosts import forget_hosts

    forget_hosts()

    page = visitor.get("/", {"language": language})

    assert f'<html lang="{language}">' in page.text
    assert not re.search(r"\{(short_name|phone|emergency_phone|name)\}", page.text)


def test_before_the_first_publication_the_page_names_the_telephone(unknown):
    page = unknown.get("/")

    assert page.status_code == 503
    assert "089 11 11 11" in page.text


def test_an_unknown_host_is_told_so_in_words(db, client):
    page = client.get("/", headers={"host": "elders.example", "accept-language": "de"})

    assert page.status_code == 404
    assert "Diese Seite gibt es nicht" in page.text


# Results without script.


def test_a_question_is_answered_with_its_sources(mini, visitor):
    page = visitor.get("/zoek", {"q": QUESTION})

    assert page.status_code == 200
    assert 'class="cite" href="#bron-1"' in page.text
    assert 'id="bron-1"' in page.text
    assert "https://www.azm-mini.example/praktisch/bezoek" in page.text
    assert "geen medisch advies" in page.text
    assert page.headers["Cache-Control"] == "private, no-store"
    assert not Message.objects.exists()
    assert not Conversation.objects.exists()


def test_the_department_that_an_answer_names_can_be_called_from_its_card(mini, visitor):
    page = html.document_fromstring(
        visitor.get("/zoek", {"q": "Welke artsen werken bij Longziekten?"}).text
    )

    (card,) = page.find_class("contact")
    assert "raadpleging maandag-vrijdag 9:00-16:00" in " ".join(card.text_content().split())
    assert card.xpath(".//a/@href[starts-with(., 'tel:')]") == ["tel:+3211001110"]


def test_no_question_gives_the_form(mini, visitor):
    page = visitor.get("/zoek")

    assert page.status_code == 200
    assert 'id="question"' in page.text
    assert 'class="answer' not in page.text


def test_a_question_that_is_too_long_is_kept_and_told(mini, visitor):
    page = visitor.get("/zoek", {"q": "<script>alert(1)</script> bezoek " * 50})

    assert page.status_code == 400
    assert "te lang" in page.text
    assert "alert(1)&lt;/script&gt; bezoek" in page.text
    assert "<script>alert" not in page.text


def test_an_emergency_offers_the_call_first(mini, visitor):
    page = visitor.get("/zoek", {"q": "Mijn man heeft nu hevige pijn op de borst en zweet erg"})

    assert "is-emergency" in page.text
    assert page.text.index("call") < page.text.index('class="text"')


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(
            "<p>Zo [1].</p>", '<p>Zo <a class="cite" href="#bron-1">1</a>.</p>', id="mark"
        ),
        pytest.param("<p>Zo [7].</p>", "<p>Zo [7].</p>", id="a number that is no source"),
        pytest.param('<a title="[1]>[1]">x</a>', '<a title="[1]>[1]">x</a>', id="inside a tag"),
    ],
)
def test_marks_become_links_to_their_source(html, expected):
    assert linked(html, {1}) == expected


# The source viewer.


def test_a_source_is_shown_with_its_passage_highlighted(mini, visitor):
    chunk = chunk_of()
    Chunk.objects.filter(pk=chunk.pk).update(page=3)

    page = visitor.get(f"/bron/{chunk.pk}/")

    assert page.status_code == 200
    assert "Bladzijde 3" in page.text
    assert '<section class="part is-cited" id="passage">' in page.text
    assert "Bezoekuren" in page.text
    assert "Bijgewerkt op 4-5-2026" in page.text
    assert "https://www.azm-mini.example/praktisch/bezoek" in page.text


@pytest.mark.parametrize(
    ("model", "changed"),
    [(Chunk, {"is_enabled": False}), (Document, {"status": Document.Status.WITHDRAWN})],
    ids=["a passage switched off", "a document withdrawn"],
)
def test_what_staff_took_away_is_gone(mini, visitor, model, changed):
    chunk = chunk_of()
    model.objects.filter(pk=chunk.pk if model is Chunk else chunk.document_id).update(**changed)

    assert visitor.get(f"/bron/{chunk.pk}/").status_code == 404
    assert visitor.get(f"/bron/{chunk.pk}/origineel").status_code == 404


def test_another_hospitals_passage_does_not_exist_here(mini, visitor, other_hospital):
    with serving(other_hospital):
        document = Document.objects.create(
            hospital=other_hospital, path="x", title="Geheim", status=Document.Status.READY
        )
        chunk = Chunk.objects.create(
            hospital=other_hospital, document=document, ordinal=0, content="Van hen."
        )

    assert visitor.get(f"/bron/{chunk.pk}/").status_code == 404
    assert visitor.get(f"/bron/{chunk.pk}/origineel").status_code == 404
    assert visitor.get(f"/bron/{10**30}/").status_code == 404


def test_the_original_is_a_file_that_can_do_nothing_here(mini, visitor):
    chunk = chunk_of()
    harmful = b"<script>alert(document.cookie)</script>"
    kept = keep_original(mini.pk, harmful, "text/html")
    Document.objects.filter(pk=chunk.document_id).update(original=kept)

    page = visitor.get(f"/bron/{chunk.pk}/origineel")

    assert page.content == harmful
    assert page.headers["Content-Disposition"] == 'attachment; filename="bezoek.html"'
    assert page.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert page.headers["X-Content-Type-Options"] == "nosniff"


# The JSON interface.


def test_a_program_asks_as_a_visitor_does(mini, visitor):
    reply = ask(visitor, question=QUESTION, language="nl")

    answer = reply.json()
    assert reply.status_code == 200
    assert answer["citations"][0]["url"].startswith("https://www.azm-mini.example/")
    message = Message.objects.get(pk=answer["message"])
    assert message.conversation.channel == "api"
    assert answer["conversation"] == str(message.conversation_id)


def test_a_conversation_goes_on_with_its_secret_and_is_unknown_without(mini, visitor):
    first = ask(visitor, question=QUESTION).json()
    names = {key: first[key] for key in ("conversation", "secret")}

    second = ask(visitor, question=QUESTION, **names).json()
    reply = ask(visitor, question=QUESTION, **names | {"secret": "x"})

    assert second["conversation"] == first["conversation"]
    assert (reply.status_code, reply.json()["code"]) == (404, "unknown_conversation")
    assert Message.objects.count() == 2


def test_before_the_first_publication_a_program_is_told_so(unknown):
    reply = ask(unknown, question=QUESTION)

    assert (reply.status_code, reply.json()["code"]) == (503, "not_ready")


def test_a_published_hospital_is_ready_unless_its_broker_is_away(mini, client, settings):
    assert client.get(reverse("health-live"), headers={"host": "10.0.0.1"}).text == "ok"
    reply = client.get(reverse("health-ready"))
    checks = reply.json()["checks"]
    assert (reply.status_code, checks["published:azm-mini"]["detail"]) == (200, "version 1")
    assert checks["database"]["ok"]
    assert checks["index:azm-mini"]["ok"]

    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    reply = client.get(reverse("health-ready"))
    assert (reply.status_code, reply.json()["checks"]["redis"]["ok"]) == (503, False)


# Staff mend what they see.


def mended(browser):
    """Return the pages of patients as somebody gets them, without the nonce of each."""
    pages = [browser.get("/"), browser.get("/zoek", {"q": QUESTION})]
    return pages, [re.sub(r'nonce="[^"]*"', "", page.text) for page in pages]


def test_staff_are_led_from_an_answer_to_what_it_came_from(mini):
    pages, (chat, found) = mended(signed_in(mini, Role.OPERATOR, language="nl"))

    assert '"turn": "/admin/chat/message/{message}/change/"' in chat
    assert 'src="/static/chat/mend.js"' in chat
    (link,) = html.document_fromstring(found).xpath("//a[contains(@href, '/admin/')]/@href")
    assert link.startswith(
        "/admin/chat/intentexample/explain/?of=both&language=nl&question=Wat%20zijn"
    )
    assert all("no-store" in page.headers["Cache-Control"] for page in pages)


def test_patients_get_what_they_got_whoever_else_is_led_on(mini, visitor, monkeypatch):
    plain, bodies = mended(visitor)
    nobody = signed_in(mini, Role.IT, language="nl-BE")
    elsewhere = signed_in(factories.hospital(slug="elders"), Role.OPERATOR, language="nl-BE")
    elsewhere.defaults["HTTP_HOST"] = HOST

    assert not any("admin" in body or "mend" in body for body in bodies)
    assert all("Cookie" not in page.headers.get("Vary", "") for page in plain)
    assert mended(nobody)[1] == mended(elsewhere)[1] == bodies
    # Nobody is looked up who has no session.
    monkeypatch.setattr("django.contrib.auth.middleware.get_user", None)
    assert visitor.get("/").status_code == 200


@pytest.mark.parametrize("sign", ["\x00", "\x9f", "\u202e"])
def test_a_control_character_of_a_question_stands_on_no_page(mini, visitor, sign):
    asked = f"bezoek{sign}uren"
    staff = signed_in(mini, Role.OPERATOR)
    pages = [
        visitor.get("/zoek", {"q": asked}),
        staff.get("/admin/chat/intentexample/", {"q": asked}),
        staff.get("/admin/chat/intentexample/explain/", {"question": asked}),
        staff.post("/admin/chat/intentexample/explain/", {"question": asked, "language": "xx"}),
    ]

    for page in pages:
        assert page.status_code == 200
        assert sign not in page.content.decode()
