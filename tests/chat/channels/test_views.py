"""The pages that patients use, without script: chat, results, sources; and the JSON interface."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from lxml import html

from chat import selectors
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


@pytest.mark.parametrize("path", ["/", "/zoek"])
def test_the_start_page_tells_what_the_whole_hospital_is_told_now_above_the_field(
    mini, visitor, path
):
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


def test_an_answer_begins_with_what_is_announced_in_every_channel(mini, visitor, monkeypatch):
    told = {"text_nl": "Bezoek tot 16 uur.", "questions": "bezoekuren wat"}
    Intervention.objects.create(
        hospital=mini, kind="bulletin", valid_to=hospital_now().date(), **told
    )
    # The lane does not see rows of the test's transaction.
    monkeypatch.setattr(selectors, "BELIEVED", 600.0)
    selectors.live_interventions()

    page, answer = (
        visitor.get("/zoek", {"q": QUESTION}).text,
        ask(visitor, question=QUESTION).json(),
    )

    assert "Bezoek tot 16 uur." in html.fromstring(page).xpath("string(//div[@class='text']/p[1])")
    assert answer["text"].startswith("**Mededeling van het ziekenhuis")
    assert answer["html"].startswith("<p><strong>Mededeling van het ziekenhuis")


def test_without_script_the_form_leads_to_the_results(mini, visitor):
    page = visitor.get("/")

    assert re.search(r'<form[^>]*method="get"[^>]*action="/zoek"', page.text)
    assert 'href="/zoek?q=Wat%20zijn%20de%20bezoekuren%3F"' in page.text


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


def test_a_language_that_was_asked_for_is_kept(mini, visitor):
    assert 'lang="fr"' in visitor.get("/?language=fr").text

    assert "Comment pouvons-nous" in visitor.get("/zoek").text


def test_a_language_that_the_hospital_does_not_offer_is_not_in_the_menu(mini, visitor):
    page = visitor.get("/?language=tr")

    assert 'hreflang="de"' in page.text
    assert 'hreflang="tr"' not in page.text
    assert '<html lang="nl">' in page.text


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


def test_nothing_is_kept_of_a_question_on_the_results_page(mini, visitor):
    visitor.get("/zoek", {"q": QUESTION})

    assert not Message.objects.exists()
    assert not Conversation.objects.exists()


def test_no_question_gives_the_form(mini, visitor):
    page = visitor.get("/zoek")

    assert page.status_code == 200
    assert 'id="question"' in page.text
    assert 'class="answer' not in page.text


def test_a_question_that_is_too_long_is_kept_and_told(mini, visitor):
    page = visitor.get("/zoek", {"q": "bezoek " * 200})

    assert page.status_code == 400
    assert "te lang" in page.text
    assert "bezoek bezoek" in page.text


def test_an_emergency_offers_the_call_first(mini, visitor):
    page = visitor.get("/zoek", {"q": "Mijn man heeft nu hevige pijn op de borst en zweet erg"})

    assert "is-emergency" in page.text
    assert page.text.index("call") < page.text.index('class="text"')


def test_what_a_visitor_types_is_text_and_never_markup(mini, visitor):
    page = visitor.get("/zoek", {"q": "<script>alert(1)</script> bezoekuren"})

    assert "<script>alert" not in page.text


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

    page = visitor.get(f"/bron/{chunk.pk}/")

    assert page.status_code == 200
    assert '<section class="part is-cited" id="passage">' in page.text
    assert "Bezoekuren" in page.text
    assert "Bijgewerkt op 4-5-2026" in page.text
    assert "https://www.azm-mini.example/praktisch/bezoek" in page.text


def test_a_page_number_of_a_brochure_is_shown(mini, visitor):
    chunk = chunk_of()
    Chunk.objects.filter(pk=chunk.pk).update(page=3)

    assert "Bladzijde 3" in visitor.get(f"/bron/{chunk.pk}/").text


def test_a_passage_that_staff_switched_off_is_gone(mini, visitor):
    chunk = chunk_of()
    Chunk.objects.filter(pk=chunk.pk).update(is_enabled=False)

    assert visitor.get(f"/bron/{chunk.pk}/").status_code == 404
    assert visitor.get(f"/bron/{chunk.pk}/origineel").status_code == 404


def test_a_withdrawn_document_is_gone(mini, visitor):
    chunk = chunk_of()
    Document.objects.filter(pk=chunk.document_id).update(status=Document.Status.WITHDRAWN)

    assert visitor.get(f"/bron/{chunk.pk}/").status_code == 404


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


def test_a_number_that_no_passage_can_have_is_not_found(mini, visitor):
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


def test_a_conversation_goes_on_with_its_secret(mini, visitor):
    first = ask(visitor, question=QUESTION).json()

    second = ask(
        visitor, question=QUESTION, conversation=first["conversation"], secret=first["secret"]
    ).json()

    assert second["conversation"] == first["conversation"]
    assert Message.objects.count() == 2


def test_without_the_secret_a_conversation_is_unknown(mini, visitor):
    first = ask(visitor, question=QUESTION).json()

    reply = ask(visitor, question=QUESTION, conversation=first["conversation"], secret="x")

    assert (reply.status_code, reply.json()["code"]) == (404, "unknown_conversation")
    assert Message.objects.count() == 1


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        pytest.param({"question": "  "}, "empty", id="an empty question"),
        pytest.param({"question": "x" * 1001}, "too_long", id="an endless question"),
        pytest.param({}, "bad_message", id="no question"),
        pytest.param({"question": "x", "mode": "quick"}, "bad_message", id="an unknown mode"),
        pytest.param([], "bad_message", id="no object"),
    ],
)
def test_what_is_not_a_question_is_refused_with_a_code_and_in_words(mini, visitor, asked, code):
    reply = visitor.post("/api/v1/chat", json.dumps(asked), content_type="application/json")

    assert (reply.status_code, reply.json()["code"]) == (400, code)
    assert len(reply.json()["message"]) > 10
    assert not Message.objects.exists()


def test_before_the_first_publication_a_program_is_told_so(unknown):
    reply = ask(unknown, question=QUESTION)

    assert (reply.status_code, reply.json()["code"]) == (503, "not_ready")


# Health.


def test_the_process_says_that_it_lives_on_any_host(db, client):
    assert client.get(reverse("health-live"), headers={"host": "10.0.0.1"}).text == "ok"


def test_a_published_hospital_is_ready(mini, client):
    reply = client.get(reverse("health-ready"))

    checks = reply.json()["checks"]
    assert reply.status_code == 200
    assert checks["database"]["ok"]
    assert checks["redis"]["ok"]
    assert checks["published:azm-mini"]["detail"] == "version 1"
    assert checks["index:azm-mini"]["ok"]


def test_an_index_of_another_embedding_is_not_ready(mini, client):
    from retrieval.models import CorpusState

    CorpusState.objects.update(model="another")

    reply = client.get(reverse("health-ready"))

    assert reply.status_code == 503
    assert "reindex" in reply.json()["checks"]["index:azm-mini"]["detail"]


def test_a_broker_that_is_away_is_not_ready(mini, client, settings):
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


def test_patients_get_what_they_got_whoever_else_is_led_on(mini, visitor):
    plain, bodies = mended(visitor)
    nobody = signed_in(mini, Role.IT, language="nl-BE")

    assert not any("admin" in body or "mend" in body for body in bodies)
    assert all("Cookie" not in page.headers.get("Vary", "") for page in plain)
    assert mended(nobody)[1] == bodies


def test_the_page_of_patients_looks_nobody_up_who_has_no_session(mini, visitor, monkeypatch):
    visitor.get("/")
    monkeypatch.setattr("django.contrib.auth.middleware.get_user", None)

    assert visitor.get("/").status_code == 200


def test_staff_of_another_hospital_are_led_nowhere(mini):
    other = factories.hospital(slug="elders")
    browser = signed_in(other, Role.OPERATOR)
    browser.defaults["HTTP_HOST"] = HOST

    assert "/admin/" not in "".join(mended(browser)[1])


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\x9f", "\u202e", "\u2028"])
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
