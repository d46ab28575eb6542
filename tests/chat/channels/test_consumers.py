"""The chat over its WebSocket: what a browser sends, and what it gets back."""

from __future__ import annotations

import threading
from functools import partial
from uuid import uuid4

import pytest
from channels.testing import WebsocketCommunicator

from chat.channels.consumers import IDLE
from chat.models import Conversation, Message
from chat.services import forget
from tests.answering import HOST, PATIENCE
from zol.models import Hospital, WidgetKey
from zol.runtime import bridge
from zol.runtime.bridge import done_by
from zol.tenancy import serving

EMERGENCY = "Mijn vader is bewusteloos en ademt niet meer"
ORIGIN = [(b"host", HOST.encode()), (b"origin", f"http://{HOST}".encode())]


@pytest.fixture(autouse=True)
def application(mini):
    """The application looks at the database's indexes before it serves."""
    import zol.asgi

    return zol.asgi.application


async def opened(headers=ORIGIN, path="/ws/chat/"):
    from zol.asgi import application

    socket = WebsocketCommunicator(application, path, headers=headers)
    connected, _ = await socket.connect(timeout=PATIENCE)
    return socket, connected


@pytest.fixture
async def browser(mini):
    socket, connected = await opened()
    assert connected
    yield socket
    await socket.disconnect()


async def frames(browser, last="answer"):
    """Every frame up to the one that ends the turn."""
    found = []
    while not found or found[-1]["type"] not in (last, "error"):
        found.append(await browser.receive_json_from(timeout=PATIENCE))
    return found


async def asked(browser, question):
    await browser.send_json_to({"type": "ask", "question": question, "language": "nl"})
    return await frames(browser)


async def test_an_answer_arrives_piece_by_piece_and_then_whole(browser):
    found = await asked(browser, "Welke oogartsen werken hier?")

    kinds = [frame["type"] for frame in found]
    assert kinds[0] == "accepted"
    assert kinds[-1] == "answer"
    assert "progress" in kinds
    streamed = "".join(frame["text"] for frame in found if frame["type"] == "token")
    assert streamed == found[-1]["text"]
    assert "Emre Çalışkan" in found[-1]["html"]


async def test_every_citation_has_its_page_and_what_was_quoted_its_passage(browser):
    answer = (await asked(browser, "Kan ik met mijn rolstoel binnen in campus Oever?"))[-1]

    assert any(citation["passage"] for citation in answer["citations"])
    for citation in answer["citations"]:
        assert f"[{citation['n']}]" in answer["text"]
        assert citation["url"].startswith("https://www.azm-mini.example/")


async def test_a_patient_sees_the_step_and_the_percentage_and_nothing_else(browser):
    found = await asked(browser, "Wat zijn de bezoekuren op B3?")

    progress = [frame for frame in found if frame["type"] == "progress"]
    assert all(set(frame) == {"type", "stage", "percent"} for frame in progress)
    percents = [frame["percent"] for frame in progress]
    assert percents == sorted(percents)


async def test_a_stop_is_confirmed_whether_or_not_anything_was_left_to_stop(browser):
    await browser.send_json_to({"type": "ask", "question": "Welke oogartsen werken hier?"})
    accepted = await browser.receive_json_from(timeout=PATIENCE)
    await browser.send_json_to({"type": "stop", "message": accepted["message"]})

    found = [accepted]
    while found[-1]["type"] != "stopped":
        found.append(await browser.receive_json_from(timeout=PATIENCE))

    assert found[-1] == {"type": "stopped", "message": accepted["message"]}


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
    asked = {"Welke oogartsen werken hier?": 1, "Wat zijn de bezoekuren?": 1, EMERGENCY: 100}
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

    found = await frames(browser)
    while [f["type"] for f in found].count("answer") < 2:
        found += await frames(browser)

    assert "error" not in [f["type"] for f in found]


async def test_an_emergency_in_a_conversation_that_was_forgotten_elsewhere_is_answered(
    browser, mini
):
    accepted = (await asked(browser, "Welke oogartsen werken hier?"))[0]

    def forgotten():
        with serving(mini):
            forget(Conversation.objects.get(pk=accepted["conversation"]))

    await done_by(forgotten)

    assert "112" in (await asked(browser, EMERGENCY))[-1]["text"]


async def test_the_next_question_may_follow_at_once(browser):
    for _ in range(8):
        found = await asked(browser, "Wat zijn de bezoekuren op B3?")

        assert found[-1]["type"] == "answer", found[-1]


async def test_a_conversation_is_resumed_by_who_knows_its_secret(browser):
    accepted = (await asked(browser, "Welke oogartsen werken hier?"))[0]

    again, _ = await opened()
    names = {"conversation": accepted["conversation"], "secret": accepted["secret"]}
    await again.send_json_to({"type": "resume", **names})
    resumed = await again.receive_json_from(timeout=PATIENCE)
    await again.send_json_to({"type": "resume", **names, "secret": "geraden"})
    refused = await again.receive_json_from(timeout=PATIENCE)
    await again.disconnect()

    assert [m["question"] for m in resumed["messages"]] == ["Welke oogartsen werken hier?"]
    assert refused == {"type": "error", "code": "unknown_conversation"}


async def test_an_answer_can_be_rated(browser):
    answer = (await asked(browser, "Welke oogartsen werken hier?"))[-1]

    await browser.send_json_to(
        {"type": "feedback", "message": answer["message"], "good": False, "reason": "wrong"}
    )

    assert await browser.receive_json_from(timeout=PATIENCE) == {
        "type": "rated",
        "message": answer["message"],
    }


async def test_a_conversation_is_forgotten_on_request(browser):
    accepted = (await asked(browser, "Welke oogartsen werken hier?"))[0]

    await browser.send_json_to({"type": "forget"})
    assert await browser.receive_json_from(timeout=PATIENCE) == {"type": "forgotten"}

    names = {"conversation": accepted["conversation"], "secret": accepted["secret"]}
    await browser.send_json_to({"type": "resume", **names})
    answer = await browser.receive_json_from(timeout=PATIENCE)
    assert answer == {"type": "error", "code": "unknown_conversation"}


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        pytest.param('{"type": "ask", "question": "  "}', "empty", id="an empty question"),
        pytest.param('{"type": "ask", "question": 7}', "bad_message", id="a number"),
        pytest.param(
            '{"type": "ask", "question": "%s"}' % ("x" * 1001), "too_long", id="an endless question"
        ),
        pytest.param("[]", "bad_message", id="no question"),
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


async def test_an_empty_frame_is_told_so(browser):
    await browser.send_input({"type": "websocket.receive", "text": ""})

    assert (await browser.receive_json_from())["code"] == "bad_message"


async def test_an_unknown_host_gets_no_socket(mini):
    _, connected = await opened([(b"host", b"nergens.example")])

    assert not connected


async def test_another_site_gets_no_socket(mini):
    _, connected = await opened([(b"host", HOST.encode()), (b"origin", b"https://kwaad.example")])

    assert not connected


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
    first = await frames(browser)
    assert first[-1].get("code") != "error"

    found = await asked(browser, "Wat zijn de bezoekuren op B3?")

    assert found[-1]["type"] == "answer"


async def test_a_guessed_secret_with_an_accent_is_refused(browser):
    accepted = (await asked(browser, "Welke oogartsen werken hier?"))[0]

    names = {"conversation": accepted["conversation"], "secret": "é"}
    await browser.send_json_to({"type": "resume", **names})

    answer = await browser.receive_json_from(timeout=PATIENCE)
    assert answer == {"type": "error", "code": "unknown_conversation"}


@pytest.mark.parametrize("reason", ["Jan Janssen", "\u0000", 7])
async def test_a_reason_that_is_not_on_the_list_is_not_kept(browser, reason):
    answer = (await asked(browser, "Welke oogartsen werken hier?"))[-1]

    sent = {"type": "feedback", "message": answer["message"], "good": False, "reason": reason}
    await browser.send_json_to(sent)

    assert await browser.receive_json_from(timeout=PATIENCE) == {
        "type": "error",
        "code": "bad_message",
    }


async def test_forgetting_during_an_answer_stops_it_and_leaves_nothing(browser):
    await browser.send_json_to({"type": "ask", "question": "Welke oogartsen werken hier?"})
    accepted = await browser.receive_json_from(timeout=PATIENCE)
    await browser.send_json_to({"type": "forget"})

    found = [accepted]
    while found[-1]["type"] != "forgotten":
        found.append(await browser.receive_json_from(timeout=PATIENCE))

    assert "error" not in {frame["type"] for frame in found}
    assert await browser.receive_nothing(timeout=0.5)
    assert await done_by(partial(left_of, accepted)) == 0


def left_of(accepted):
    with serving(Hospital.objects.get(slug="azm-mini")):
        return (
            Message.objects.filter(pk=accepted["message"]).count()
            + Conversation.objects.filter(pk=accepted["conversation"]).count()
        )


async def closed_with(browser):
    """The code with which the server closes a socket, after whatever else it says."""
    while (said := await browser.receive_output(timeout=PATIENCE))["type"] != "websocket.close":
        pass
    return said["code"]


async def test_a_socket_on_which_nobody_asks_for_long_is_closed(settings, mini):
    settings.SOCKET_IDLE_SECONDS = 1
    idle, _ = await opened()

    assert await closed_with(idle) == IDLE
    await idle.disconnect()


async def test_of_an_address_with_too_many_sockets_the_one_least_needed_is_closed(
    settings, mini, browser
):
    settings.WEB_PROCESSES = "10"
    await asked(browser, "Welke oogartsen werken hier?")
    sockets = [(await opened())[0] for _ in range(9)]
    await asked(sockets[0], "Welke oogartsen werken hier?")
    await asked(browser, "Welke oogartsen werken hier?")

    newcomer, connected = await opened()

    assert connected
    assert await closed_with(sockets[1]) == IDLE
    assert (await asked(sockets[0], "Welke oogartsen werken hier?"))[-1]["type"] == "answer"
    for each in (*sockets, newcomer):
        await each.disconnect()


async def test_a_widgets_conversation_is_known_as_one(mini):
    key = await done_by(partial(key_of, mini))
    socket, _ = await opened(path=f"/ws/chat/?widget={key}")
    accepted = (await asked(socket, "Welke oogartsen werken hier?"))[0]
    await socket.disconnect()

    assert await done_by(partial(channel_of, accepted)) == "widget"


def key_of(hospital):
    with serving(hospital):
        return WidgetKey.objects.create(hospital=hospital).key


def channel_of(accepted):
    with serving(Hospital.objects.get(slug="azm-mini")):
        return Conversation.objects.get(pk=accepted["conversation"]).channel
