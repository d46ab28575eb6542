"""Answers that staff wrote."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from chat import services
from chat.models import Conversation, CuratedAnswer, Intervention, Message
from chat.selectors import live_interventions
from chat.turn import Exchange, Turn
from taxonomy.models import Department
from taxonomy.publishing.going_live import activate
from taxonomy.publishing.live import forget_snapshots
from taxonomy.publishing.versions import live_version
from tests.builders import told
from tests.chat.sources.curated import ANSWER, PAGE, curated
from tests.taxonomy.releases import approver, publish_draft
from tests.zol.staff import signed_in
from zol.models import Role

# An hour changed: the curated answer is edited and published, and patients get it at once, in the
# language that they ask in; going back is one step.
ASKED = {
    "nl": "tot hoe laat mag ik op bezoek komen",
    "en": "what are the visiting hours?",
    "tr": "ziyaret saatleri nedir",
}


@pytest.fixture
def answering(mini):
    first = live_version()
    yield mini
    CuratedAnswer.objects.all().delete()
    if live_version().pk != first.pk:
        activate(first, by=approver(mini), why="Zoals het was")


def asked(question, language="nl", *before):
    forget_snapshots()
    history = tuple(Exchange(each, "") for each in before)
    return services.take_turn(Turn(question, language=language, history=history)).context


def test_an_edited_answer_is_given_at_once_in_every_language_and_taken_back_in_one_step(answering):
    row = curated(answering)
    assert asked(ASKED["nl"]).answer != f"{ANSWER['nl']} [1]"
    publish_draft(answering)
    first = live_version()
    assert {code: asked(text, code).answer for code, text in ASKED.items()} == {
        code: f"{text} [1]" for code, text in ANSWER.items()
    }

    row.answer = {code: text.replace("20", "21") for code, text in ANSWER.items()}
    row.save()
    assert "20" in asked(ASKED["en"], "en").answer
    publish_draft(answering)
    edited = {code: asked(text, code).answer for code, text in ASKED.items()}
    activate(first, by=approver(answering), why="Te vroeg")

    assert edited == {code: f"{text.replace('20', '21')} [1]" for code, text in ANSWER.items()}
    assert asked(ASKED["tr"], "tr").answer == f"{ANSWER['tr']} [1]"


def test_it_is_told_with_its_page_and_whom_to_turn_to_and_nothing_is_searched(answering):
    row = Department.objects.get(name="Oogziekten")
    curated(answering, next_step=f"department:{row.key}")
    publish_draft(answering)

    turn = services.take_turn(Turn(ASKED["nl"]))

    assert turn.context.reply.verified
    assert [citation.url for citation in turn.context.citations] == [PAGE]
    assert [thing.name for thing in turn.context.published.routed] == ["Oogziekten"]
    assert turn.trace[-2].stage == "semantic_cache"
    assert told("match_curated", turn.trace)["curated"] == "visiting-hours"
    assert told("match_curated", turn.trace)["near"][0]["example"]


@pytest.mark.parametrize(
    ("question", "behaviour"),
    [
        ("bezoekuren, en ik heb nu hevige pijn op de borst", "emergency"),
        ("welke pil moet ik nemen voor mijn bezoekuur?", "refuse_medical"),
    ],
)
def test_it_never_stands_over_a_safety_answer(answering, question, behaviour):
    curated(answering)
    publish_draft(answering)

    assert asked(question).behaviour == behaviour


@pytest.mark.parametrize(
    "question",
    [
        "wat zijn de bezoekuren op B3?",
        "waar kan ik parkeren?",
        "kan ik in het ziekenhuis een fiets huren?",
    ],
)
def test_another_question_is_left_to_the_pages(answering, question):
    curated(answering)
    publish_draft(answering)

    assert ANSWER["nl"] not in asked(question).answer


# A hand-written answer kept giving an address after the move (incident 24).
#
# A decision of staff holds at once, without a release, and a curated answer ends by itself.
QUESTION = "Waar kan ik parkeren met de auto?"
BULLETINS = "/admin/chat/intervention/"


def decide(hospital, kind="curated", **fields):
    usual = {
        "questions": "parkeren auto*",
        "reason": "Verhuisd",
        "text_nl": "Op parking Noord.",
        "review_by": timezone.localdate(),
    }
    row = Intervention(hospital=hospital, kind=kind, **usual | fields)
    row.full_clean(exclude=["hospital"])
    row.save()
    live_interventions.forget()
    return row


@pytest.fixture
def decided(mini):
    yield mini
    Intervention.objects.all().delete()


def answered(question=QUESTION):
    return services.take_turn(Turn(question)).context.answer


def test_a_curated_answer_is_given_without_a_release_and_ends_by_itself_after_its_date(decided):
    row = decide(decided)
    given = answered(), answered("Hoe laat is het bezoek?")
    row.review_by = timezone.localdate() - timedelta(days=1)
    row.save()
    live_interventions.forget()

    assert given[0] == "Op parking Noord." != given[1]
    assert answered() != "Op parking Noord."
    with pytest.raises(ValidationError):
        decide(decided, review_by=None)


@pytest.mark.parametrize("kind", ["block", "freeze"])
def test_an_answer_is_held_back_in_the_visitors_language(decided, kind):
    decide(decided, kind)

    held = services.take_turn(Turn(QUESTION)).context

    assert decided.phone in held.answer
    assert held.citations == ()


def test_an_emergency_comes_first(decided):
    decide(decided, questions="pijn borst")

    assert services.take_turn(Turn("ik heb nu pijn op de borst")).context.behaviour == "emergency"


def test_everybody_who_received_an_answer_is_listed_however_many(hospital):
    conversation = Conversation.objects.create(hospital=hospital)
    Message.objects.bulk_create(
        Message(hospital=hospital, conversation=conversation, question=f"{QUESTION} {n}")
        for n in range(2_100)
    )
    row = decide(hospital, "freeze")
    browser = signed_in(hospital, Role.QUALITY)

    lines = b"".join(
        browser.get(f"{BULLETINS}{row.pk}/received.csv").streaming_content
    ).splitlines()

    assert len(lines) == 2_101
    assert (
        f"{BULLETINS}{row.pk}/received.csv"
        in browser.get(f"{BULLETINS}{row.pk}/change/").content.decode()
    )
