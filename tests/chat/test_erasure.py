"""Erasing a conversation shows what it matches, then deletes all data derived from it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from chat import erasure
from chat.models import CachedAnswer, Conversation, Feedback, Message
from evaluation.models import GoldenQuestion, LiveGrade, Preview, PreviewItem, WorkItem
from evaluation.queue import guard
from retrieval.models import CategoryMismatch
from taxonomy.models import Release
from tests.chat.test_personal_data import columns
from tests.zol.staff import member, signed_in
from zol.errors import BadInput
from zol.models import Role
from zol.records.audit import AuditEntry
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
WORD = "Zwaluwnest"
QUESTION = f"Mag mijn zus haar {WORD} meenemen?"
PAGE = "/admin/chat/conversation/erase/"
SIDE = {"passed": None, "behaviour": "answer"} | dict.fromkeys(("answer", "failure"), "")
SIDE |= {"citations": [], "routing": []}
WHY = "Asked in writing, file 12"


def talk(hospital, question, *, ago=0):
    """A conversation of one question, with everything that may be made of it."""
    conversation = Conversation.objects.create(hospital=hospital)
    message = Message.objects.create(
        hospital=hospital, conversation=conversation, question=question, answer=question,
        trace={"asked": question}, state=Message.State.FINISHED,
    )  # fmt: skip
    Message.objects.filter(pk=message.pk).update(created_at=timezone.now() - timedelta(days=ago))
    Feedback.objects.create(hospital=hospital, message=message, is_good=False)
    CachedAnswer.objects.create(
        hospital=hospital, conversation=conversation, knowledge="1", exact=conversation.pk.hex, question=question,
        query=question, intent="greeting", language="nl", answer=question, expires_at=timezone.now(),
    )  # fmt: skip
    CategoryMismatch.objects.create(
        hospital=hospital, conversation_id=conversation.pk, mismatch_rate=1, chunks_total=1,
        chunks_off_category=1, query_preview=question,
    )  # fmt: skip
    LiveGrade.objects.create(hospital=hospital, message=message)
    release = Release.objects.create(hospital=hospital, title="R")
    preview = Preview.objects.create(hospital=hospital, release=release, seen=1, state="finished")
    PreviewItem.objects.create(
        hospital=hospital, preview=preview, key=str(message.pk), message=message, is_golden=False,
        changes=["answer"], data={"question": question, "language": "nl", "before": SIDE, "after": SIDE},
    )  # fmt: skip
    item = WorkItem.objects.create(hospital=hospital, message=message)
    guard(item, member(hospital, username=f"queue-{message.pk.hex[:6]}"))
    return conversation


@pytest.fixture
def talks(hospital):
    with serving(hospital):
        gone, kept = talk(hospital, QUESTION, ago=3), talk(hospital, "Waar is de ingang?")
        yield gone, kept


def tables_with(word):
    """Return the tables in which a word stands, of all that the application reads."""
    found = set()
    with connection.cursor() as cursor:
        for table, names in columns().items():
            held = " || ' ' || ".join(f"coalesce({name}::text, '')" for name in names)
            cursor.execute("SELECT has_table_privilege(%s, 'SELECT')", [table])
            if cursor.fetchone()[0]:
                cursor.execute(
                    f"SELECT 1 FROM {table} WHERE strpos(lower({held}), %s) > 0", [word.lower()]
                )
                found |= {table.split('"')[3]} if cursor.fetchone() else set()
    return found


def day_of(conversation):
    return timezone.localtime(conversation.messages.get().created_at).date()


@pytest.mark.parametrize(
    "sought",
    [
        pytest.param(lambda gone: {"words": f"zus {WORD.lower()}"}, id="words in any order"),
        pytest.param(lambda gone: {"reference": str(gone)}, id="the first signs"),
        pytest.param(lambda gone: {"reference": f" {gone.pk} "}, id="a conversation"),
        pytest.param(lambda gone: {"reference": gone.messages.get().pk.hex}, id="a message"),
        pytest.param(lambda gone: {"day": day_of(gone).isoformat()}, id="a day"),
        pytest.param(lambda gone: {"day": day_of(gone), "words": "meenemen"}, id="a day and words"),
    ],
)
def test_what_was_shown_is_gone_from_the_whole_database(hospital, talks, sought):
    gone, kept = talks
    browser = signed_in(hospital, Role.QUALITY)
    asked = sought(gone) | {"why": WHY}
    assert tables_with(WORD) == {
        "chat_message", "chat_cachedanswer", "evaluation_goldenquestion", "evaluation_previewitem",
        "retrieval_categorymismatch",
    }  # fmt: skip

    shown = browser.post(PAGE, asked)
    assert Conversation.objects.count() == 2
    assert shown.context["conversations"] == [gone]
    assert set(shown.context["going"].values()) == {1}
    assert len(shown.context["going"]) == 9
    browser.post(PAGE, asked | {"erase": shown.context["shown"]})

    assert list(Conversation.objects.all()) == [kept]
    assert tables_with(WORD) == set()
    assert GoldenQuestion.objects.get().turns == ["Waar is de ingang?"]
    entry = AuditEntry.objects.get(what=AuditEntry.What.ERASED)
    assert (entry.who, entry.why) == ("quality", WHY)
    assert "1 messages" in entry.after
    day = str(asked.get("day", ""))
    assert entry.subject in {"words", "reference", day, f"{day}, words"}


def test_a_golden_question_that_staff_wrote_anew_stays(hospital, talks):
    GoldenQuestion.objects.filter(turns__contains=[QUESTION]).update(turns=["Mag een dier mee?"])

    erasure.erase(erasure.Sought(words=WORD), by=member(hospital, username="an"), why=WHY)

    assert GoldenQuestion.objects.filter(turns=["Mag een dier mee?"]).exists()
    assert tables_with(WORD) == set()


def test_what_came_after_it_was_shown_is_shown_first(hospital, talks):
    browser = signed_in(hospital, Role.OPERATOR)
    asked = {"words": WORD, "why": WHY}
    shown = browser.post(PAGE, asked).context["shown"]
    talk(hospital, QUESTION)

    again = browser.post(PAGE, asked | {"erase": shown})

    assert len(again.context["conversations"]) == 2
    assert Conversation.objects.count() == 3


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "Enter a reference, a day or words."),
        ({"words": "olifant"}, "No conversation was found."),
        ({"reference": "abc"}, "A reference has at least eight characters"),
        ({"day": "morgen"}, "Enter a valid date."),
        ({"words": WORD, "why": ""}, "This field is required."),
        ({"words": WORD, "why": f"Het {WORD.lower()} moet weg", "erase": "x"}, None),
    ],
)
def test_bad_input_gets_a_sentence_and_changes_nothing(hospital, talks, asked, said, monkeypatch):
    browser = signed_in(hospital, Role.QUALITY)
    page = browser.post(PAGE, {"why": WHY} | asked)
    if said is None:
        shown = page.context["shown"]
        page = browser.post(PAGE, {"why": WHY} | asked | {"erase": shown})
        said = "do not repeat the words"

    assert said in page.text
    assert Conversation.objects.count() == 2


def test_more_than_somebody_looks_at_are_not_erased_at_once(hospital, talks, monkeypatch):
    monkeypatch.setattr(erasure, "MOST", 1)

    with pytest.raises(BadInput, match=" 1 "):
        erasure.Sought(words="a").conversations()


@pytest.mark.parametrize("role", [Role.ANALYST, Role.CURATOR, Role.IT])
def test_others_may_not(hospital, talks, role):
    assert signed_in(hospital, role).get(PAGE).status_code == 403
