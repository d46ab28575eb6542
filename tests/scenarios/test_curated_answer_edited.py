"""An hour changed: the curated answer is edited and published, and patients get it at once, in the
language that they ask in; going back is one step."""

import pytest

from chat import services
from chat.models import CuratedAnswer
from chat.turn import Exchange, Turn
from taxonomy.models import Department
from taxonomy.publishing.going_live import activate
from taxonomy.publishing.live import forget_snapshots
from taxonomy.publishing.versions import live_version
from tests.builders import told
from tests.chat.sources.curated import ANSWER, PAGE, curated
from tests.taxonomy.releases import approver, publish_draft

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
