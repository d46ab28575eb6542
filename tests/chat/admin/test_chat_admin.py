"""Conversations can be read with all that explains them; texts are checked before they are saved."""

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from chat.admin.trace import flat, shown
from chat.models import CachedAnswer, Conversation, Feedback, FixedText, Message
from retrieval.models import Chunk, Document
from tests.factories import message
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
MESSAGES = "/admin/chat/message/"


def stage(name, seconds, failure="", **detail):
    return {"stage": name, "seconds": seconds, "detail": detail, "failure": failure}


def trace_with(chunk=0):
    candidate = {
        "chunk": chunk, "title": "Parkeren", "section": "Tarieven", "category": "practical",
        "dense_rank": 2, "keyword_rank": 1, "similarity": 0.512, "base": 0.9,
        "boosts": {"campus": 1.1}, "affinity": 1.3, "score": 1.0,
    }  # fmt: skip
    other = candidate | {"title": "Rolstoel", "boosts": {}, "affinity": 0.55, "score": 0.495}
    return {
        "stages": [
            stage("understand", 0.002, intent="doctor_lookup", resolved=[{"name": "Cardiologie"}]),
            stage("assemble", 0.01, passages=1, ranking=[candidate, other]),
            stage("generate", 0.0, "Te traag", found=True),
        ]
    }


def test_a_trace_names_every_factor_of_every_candidate():
    seen = shown(trace_with(), {"total": 14.0})

    first, second = seen["candidates"]
    assert seen["boosts"] == ["campus"]
    assert (first["boosts"], first["is_used"]) == ([1.1], True)
    assert (second["boosts"], second["is_used"]) == ([None], False)
    assert (seen["total"], seen["slowest"]) == (14.0, 10.0)


def test_a_question_taken_apart_shows_the_candidates_of_each_part():
    one = trace_with()["stages"][1]["detail"]
    gates = [{"rule": "strong passages", "injects": False, "suppressed": 2}, {"failed": "x"}]
    stages = [stage("assemble", 0.01, parts=[one, one]), stage("gate_facts", 0.01, parts=gates)]

    seen = shown({"stages": stages}, {})

    assert [each["rank"] for each in seen["candidates"]] == ["1.1", "1.2", "2.1", "2.2"]
    assert [each["is_used"] for each in seen["candidates"]] == [True, False, True, False]
    assert [gate["rule"] for gate in seen["gates"]] == ["strong passages"]
    assert not any("ranking" in name for name, _ in seen["stages"][0]["details"])


def test_nested_details_become_lines():
    lines = dict(flat({"a": {"b": [1, 2]}, "c": [{"d": True}], "e": 0.123456}))

    assert lines == {"a · b": "1, 2", "c 1 · d": "✓", "e": "0.1235"}


def test_an_answer_without_a_trace_can_be_read():
    assert shown({}, {})["stages"] == []


def test_the_page_of_an_answer_shows_how_it_came_about(hospital):
    document = Document.objects.create(hospital=hospital, path="p.html", title="Parkeren")
    chunk = Chunk.objects.create(hospital=hospital, document=document, ordinal=0, content="P1")
    row = message(hospital, trace=trace_with(chunk.pk), timings_ms={"total": 14.0})

    page = signed_in(hospital, Role.ANALYST).get(f"{MESSAGES}{row.pk}/change/", follow=True)

    for said in ("Waar kan ik parkeren?", "Op P1. <span", "Tarieven", "1.30", "0.495", "Te traag"):
        assert said in page.text
    assert f"/admin/retrieval/chunk/{chunk.pk}/change/" in page.text
    assert '{"' not in page.text


def test_nobody_edits_a_conversation(hospital):
    row = message(hospital)
    browser = signed_in(hospital, *Role, username="alles")

    assert browser.post(f"{MESSAGES}{row.pk}/change/", {"question": "anders"}).status_code == 403
    assert browser.post(f"{MESSAGES}{row.pk}/delete/", {"post": "yes"}).status_code == 403


def test_disliked_answers_are_found(hospital):
    message(hospital)
    disliked = message(hospital)
    Feedback.objects.create(hospital=hospital, message=disliked, is_good=False)

    page = signed_in(hospital, Role.QUALITY).get(MESSAGES, {"feedback__is_good__exact": "0"})

    assert [row.pk for row in page.context["cl"].result_list] == [disliked.pk]


def test_the_list_costs_the_same_for_any_number_of_answers(hospital, django_assert_max_num_queries):
    for number in range(15):
        message(hospital, f"Vraag {number}", trace=trace_with())
    browser = signed_in(hospital, Role.ANALYST)

    with django_assert_max_num_queries(12):
        browser.get(MESSAGES)


@pytest.mark.parametrize(
    ("text", "is_saved"),
    [
        pytest.param("Bel {phone} voor {department}.", True, id="placeholders"),
        pytest.param("Bel {phone voor hulp.", False, id="a brace that is not closed"),
        pytest.param("Bel { phone }.", False, id="spaces within the braces"),
    ],
)
def test_a_broken_placeholder_never_reaches_a_patient(hospital, text, is_saved):
    browser = signed_in(hospital, Role.CURATOR)

    browser.post("/admin/chat/fixedtext/add/", {"kind": "hello", "language": "nl", "text": text})

    assert FixedText.objects.exists() is is_saved


def test_a_text_that_exists_is_refused_in_words(hospital):
    FixedText.objects.create(hospital=hospital, kind="hello", language="nl", text="Dag")
    browser = signed_in(hospital, Role.CURATOR)

    page = browser.post(
        "/admin/chat/fixedtext/add/", {"kind": "hello", "language": "nl", "text": "Hallo"}
    )

    assert "already exists" in page.text
    assert FixedText.objects.count() == 1


def test_what_is_remembered_can_be_seen_and_thrown_away(hospital):
    remembered(hospital)
    Message.objects.create(
        hospital=hospital, conversation=Conversation.objects.first(), question="x", cached=True,
        state=Message.State.FINISHED,
    )  # fmt: skip
    it = signed_in(hospital, Role.OPERATOR)

    page = it.get("/admin/chat/cachedanswer/")
    assert "Hoeveel kost parkeren?" in page.text
    assert page.context["rates"][0]["hits"] == page.context["rates"][0]["all"] == 1
    assert it.get("/admin/chat/cachedanswer/purge/").status_code == 405

    it.post("/admin/chat/cachedanswer/purge/")
    assert not CachedAnswer.objects.exists()
    assert LogEntry.objects.count() == 1


def test_an_analyst_reads_what_is_remembered_and_keeps_off_it(hospital):
    remembered(hospital)
    analyst = signed_in(hospital, Role.ANALYST)

    assert "purge" not in analyst.get("/admin/chat/cachedanswer/").text
    assert analyst.post("/admin/chat/cachedanswer/purge/").status_code == 403
    assert CachedAnswer.objects.exists()


def remembered(hospital):
    return CachedAnswer.objects.create(
        hospital=hospital, conversation=Conversation.objects.create(hospital=hospital),
        knowledge="1.1.0.0", question="Hoeveel kost parkeren?", query="parkeren", answer="Niets.",
        intent="navigation_or_practical_info", language="nl", expires_at=timezone.now(),
    )  # fmt: skip


WRITTEN = "**Parkeren** kan op P1 <b>hier</b>.\n\n- Bel 089 32 50 50 [1]"
SHOWN = ["<strong>Parkeren</strong>", "<li>Bel", 'href="tel:+3289325050"', '<span class="cite">1<']


def test_an_answer_is_read_as_its_patient_saw_it(hospital):
    row = message(hospital, answer=WRITTEN, language="nl")
    browser = signed_in(hospital, Role.ANALYST)

    pages = [
        browser.get(f"{MESSAGES}{row.pk}/change/", follow=True).text,
        browser.get(f"/admin/chat/conversation/{row.conversation_id}/change/").text,
    ]

    for page in pages:
        assert [part for part in SHOWN if part not in page] == []
        assert "**Parkeren**" not in page
        assert "<b>hier</b>" not in page


def test_a_remembered_answer_is_read_as_patients_see_it(hospital):
    cited = {"n": 1, "url": "https://zt.example/p1", "title": "Parkeren aan de ingang"}
    row = CachedAnswer.objects.create(
        hospital=hospital, question="Waar?", query="waar", intent="navigation_or_practical_info",
        language="nl", answer=WRITTEN, citations=[cited], follow_ups=["Wat kost het?"],
        expires_at=timezone.now(),
    )  # fmt: skip

    page = signed_in(hospital, Role.ANALYST).get(f"/admin/chat/cachedanswer/{row.pk}/change/").text

    assert [part for part in [*SHOWN, '<a href="https://zt.example/p1">'] if part not in page] == []
    assert "**Parkeren**" not in page
    assert "[{" not in page
