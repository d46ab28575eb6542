"""The chat over its WebSocket: what a browser sends, and what it gets back."""

import threading
from uuid import uuid4

import pytest

from chat.channels.consumers import IDLE
from chat.models import Conversation, Message
from chat.services import forget
from tests.answering import PATIENCE
from tests.chat.asgi import HEADERS, asked, connected, frames, of_rows, told
from zol.models import WidgetKey
from zol.runtime import bridge

pytestmark = pytest.mark.usefixtures("application")
DOCTORS = "Welke oogartsen werken hier?"
EMERGENCY = "Mijn vader is bewusteloos en ademt niet meer"


@pytest.fixture
async def browser(mini):
    socket = await connected()
    yield socket
    await socket.disconnect()


async def test_an_answer_arrives_piece_by_piece_and_then_whole(browser):
    found = await asked(browser, DOCTORS)

    kinds = [frame["type"] for frame in found]
    assert kinds[0] == "accepted"
    assert kinds[-1] == "answer"
    progress = [frame for frame in found if frame["type"] == "progress"]
    assert progress
    assert all(set(frame) == {"type", "stage", "percent"} for frame in progress)
    assert progress == sorted(progress, key=lambda frame: frame["percent"])
    streamed = "".join(frame["text"] for frame in found if frame["type"] == "token")
    assert streamed == found[-1]["text"]
    assert "Emre Çalışkan" in found[-1]["html"]


async def test_a_stop_is_confirmed_whether_or_not_anything_was_left_to_stop(browser):
    accepted = await told(browser, "accepted", type="ask", question=DOCTORS)

    stopped = await told(browser, "stopped", type="stop", message=accepted["message"])

    assert stopped == {"type": "stopped", "message": accepted["message"]}


async def test_who_asks_when_the_server_is_full_reads_so_and_is_answered_later(
    browser, monkeypatch
):
    with monkeypatch.context() as busy:
        busy.setattr(bridge, "room", threading.BoundedSemaphore(1))
        bridge.room.acquire()
        (refused,) = await asked(browser, "Wat zijn de bezoekuren?")

    assert refused["code"] == "full"
    assert str(refused["seconds"]) in refused["words"]
    assert "112" in refused["words"]
    assert (await asked(browser, "Wat zijn de bezoekuren?"))[-1]["type"] == "answer"


async def test_one_question_at_a_time_and_an_emergency_beside_it(browser):
    asked = {DOCTORS: 1, "Wat zijn de bezoekuren?": 1, EMERGENCY: 100}
    names = {question: [str(uuid4()) for _ in range(n)] for question, n in asked.items()}
    for question, ids in names.items():
        for name in ids:
            await browser.send_json_to({"type": "ask", "question": question, "id": name})
    (first,), (second,), urgent = names.values()

    found = []
    while [f["type"] for f in found].count("answer") < 1 + len(urgent):
        found.append(await browser.receive_json_from(timeout=PATIENCE))

    refused = {"type": "error", "code": "busy", "message": second}
    answers = {f["message"]: f for f in found if f["type"] == "answer"}
    streamed = "".join(f["text"] for f in found if f["type"] == "token")
    assert [f for f in found if f["type"] == "error"] == [refused]
    assert set(answers) == {first, *urgent}
    assert all("112" in answers[name]["text"] for name in urgent)
    assert streamed == answers[first]["text"]
    assert len({f["conversation"] for f in found if f["type"] == "accepted"}) == 1


async def test_words_that_are_an_emergency_with_the_running_question_are_one(browser):
    for question in ("Ik heb te veel pillen", "genomen"):
        await browser.send_json_to({"type": "ask", "question": question, "id": str(uuid4())})

    found = await frames(browser, "answer") + await frames(browser, "answer")

    assert "error" not in [f["type"] for f in found]


async def test_an_emergency_in_a_conversation_that_was_forgotten_elsewhere_is_answered(browser):
    accepted = (await asked(browser, DOCTORS))[0]

    await of_rows(lambda: forget(Conversation.objects.get(pk=accepted["conversation"])))

    assert "112" in (await asked(browser, EMERGENCY))[-1]["text"]


async def test_a_conversation_is_resumed_by_who_knows_its_secret_until_it_is_forgotten(browser):
    accepted = (await asked(browser, DOCTORS))[0]
    names = {name: accepted[name] for name in ("conversation", "secret")}
    again = await connected()

    resumed = await told(again, "resumed", type="resume", **names)
    refused = [
        await told(again, "resumed", type="resume", **names | {"secret": secret})
        for secret in ("geraden", "é")
    ]
    forgotten = await told(browser, "forgotten", type="forget")
    refused.append(await told(again, "resumed", type="resume", **names))
    await again.disconnect()

    assert [m["question"] for m in resumed["messages"]] == [DOCTORS]
    assert forgotten == {"type": "forgotten"}
    assert refused == [{"type": "error", "code": "unknown_conversation"}] * 3


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        pytest.param('{"type": "ask", "question": "  "}', "empty", id="an empty question"),
        pytest.param('{"type": "ask", "question": 7}', "bad_message", id="a number"),
        pytest.param(
            '{"type": "ask", "question": "%s"}' % ("x" * 1001), "too_long", id="an endless question"
        ),
        pytest.param("hello", "bad_message", id="no json"),
        pytest.param("", "bad_message", id="nothing"),
        pytest.param('{"type": "%s"}' % ("x" * 9000), "bad_message", id="an endless frame"),
        pytest.param(
            '{"type": "feedback", "message": "x", "good": true}',
            "unknown_message",
            id="somebody else's message",
        ),
    ],
)
async def test_what_is_no_question_is_told_so(browser, sent, code):
    # Not by `send_to`, which sends nothing that is empty.
    await browser.send_input({"type": "websocket.receive", "text": sent})

    frame = await browser.receive_json_from(timeout=PATIENCE)
    assert (frame["type"], frame["code"]) == ("error", code)


@pytest.mark.parametrize(
    "headers",
    [[(b"host", b"nergens.example")], [HEADERS[0], (b"origin", b"https://kwaad.example")]],
    ids=["an unknown host", "another site"],
)
async def test_a_stranger_gets_no_socket(mini, headers):
    assert await connected(headers) is None


HOSTILE = [
    pytest.param("[" * 8_000, id="nested without end"),
    pytest.param('{"type": "ask", "question": "\\u0000"}', id="a zero byte"),
    pytest.param('{"type": "ask", "question": "x\\u0000y?"}', id="a zero byte between letters"),
    pytest.param('{"type": "ask", "question": "\\ud800 parkeren?"}', id="half a character"),
    pytest.param(
        '{"type": "resume", "conversation": "x", "secret": "é"}', id="a secret with an accent"
    ),
    pytest.param('{"type": "resume", "conversation": "\\u0000", "secret": ""}', id="no name"),
    pytest.param('{"type": "stop", "message": {}}', id="a stop of nothing"),
]


@pytest.mark.parametrize("sent", HOSTILE)
async def test_the_socket_outlives_a_hostile_frame(browser, sent):
    await browser.send_to(text_data=sent)
    assert (await frames(browser, "answer"))[-1].get("code") != "error"

    found = await asked(browser, "Wat zijn de bezoekuren op B3?")

    assert found[-1]["type"] == "answer"


async def test_an_answer_is_rated_with_a_reason_of_the_list_alone(browser):
    message = (await asked(browser, DOCTORS))[-1]["message"]
    rating = {"type": "feedback", "message": message, "good": False}

    said = [
        await told(browser, "rated", **rating, reason=reason)
        for reason in ("Jan Janssen", "\u0000", 7, "wrong")
    ]

    refused = {"type": "error", "code": "bad_message"}
    assert said == [refused] * 3 + [{"type": "rated", "message": message}]


async def test_forgetting_during_an_answer_stops_it_and_leaves_nothing(browser):
    accepted = await told(browser, "accepted", type="ask", question=DOCTORS)
    await browser.send_json_to({"type": "forget"})

    found = await frames(browser, "forgotten")

    assert found[-1]["type"] == "forgotten"
    assert await browser.receive_nothing(timeout=0.5)
    message, conversation = accepted["message"], accepted["conversation"]
    assert not await of_rows(
        lambda: (
            Message.objects.filter(pk=message).exists()
            or Conversation.objects.filter(pk=conversation).exists()
        )
    )


async def closed_with(browser):
    """The code with which the server closes a socket, after whatever else it says."""
    while (said := await browser.receive_output(timeout=PATIENCE))["type"] != "websocket.close":
        pass
    return said["code"]


async def test_a_socket_on_which_nobody_asks_for_long_is_closed(settings, mini):
    settings.SOCKET_IDLE_SECONDS = 1
    idle = await connected()

    assert await closed_with(idle) == IDLE
    await idle.disconnect()


async def test_of_an_address_with_too_many_sockets_the_one_least_needed_is_closed(
    settings, mini, browser
):
    settings.WEB_PROCESSES = "10"
    await asked(browser, DOCTORS)
    sockets = [await connected() for _ in range(9)]
    await asked(sockets[0], DOCTORS)
    await asked(browser, DOCTORS)

    newcomer = await connected()

    assert newcomer
    assert await closed_with(sockets[1]) == IDLE
    assert (await asked(sockets[0], DOCTORS))[-1]["type"] == "answer"
    for each in (*sockets, newcomer):
        await each.disconnect()


async def test_a_widgets_conversation_is_known_as_one(mini):
    key = await of_rows(lambda: WidgetKey.objects.create(hospital=mini).key)
    socket = await connected(path=f"/ws/chat/?widget={key}")
    accepted = (await asked(socket, DOCTORS))[0]
    await socket.disconnect()

    conversation = accepted["conversation"]
    found = await of_rows(lambda: Conversation.objects.get(pk=conversation).channel)
    assert found == "widget"
