"""A question is answered, stored with its history, rated and erased."""

from dataclasses import replace

import pytest

from chat import services
from chat.channels import sessions
from chat.models import Conversation, Feedback, Message
from chat.services import TurnRequest
from chat.sources.lookup import contact_of
from chat.turn import Turn
from retrieval.models import CategoryMismatch
from taxonomy.publishing.live import live_snapshot
from zol.runtime.stopping import TurnStopped


@pytest.fixture
def conversation(mini):
    return sessions.start(mini, "nl")


def ask(question, **fields):
    return services.take_turn(Turn(question, **fields)).context


def test_the_entrance_is_found_and_not_the_reimbursement(mini):
    ctx = ask("Kan ik met mijn rolstoel binnen in campus Oever?")

    assert "Dijkstraat" in ctx.answer
    quoted = [line.lower() for line in ctx.answer.splitlines() if line.startswith(">")]
    assert not any("terugbetaling" in line for line in quoted)
    assert ctx.citations[0].url == "https://www.azm-mini.example/praktisch/bereikbaarheid"


def test_hours_of_the_card_are_said_in_the_language_of_who_asks(mini):
    ctx = ask("Wie erreiche ich die Lungenheilkunde?", language="de")

    card = contact_of(ctx, live_snapshot())
    assert card["hours"] == "Sprechstunde Montag-Freitag 9:00-16:00"


@pytest.mark.parametrize(
    "question", ["Onde posso estacionar o meu automóvel?", "医院的探视时间是几点？"]
)
def test_a_question_in_a_language_that_is_not_spoken_here_is_answered_in_two(mini, question):
    ctx = ask(question)

    assert ctx.understanding.detected not in {"nl", "en", "fr", "de", "tr", "it", "ro", "el"}
    assert ctx.answer.startswith("Ik kan niet antwoorden in de taal van uw vraag.")
    assert "I cannot answer in the language of your question." in ctx.answer


def test_facts_are_told_in_both_languages_and_quoted_once(mini):
    ctx = ask("Gdzie mogę znaleźć telefon oddziału Oogziekten?")

    assert "Telefoon" in ctx.answer
    assert "Phone" in ctx.answer
    quoted = [line for line in ctx.answer.splitlines() if line.startswith("> ")]
    assert len(quoted) == len(set(quoted))


def test_an_answer_is_kept_with_its_citations_version_trace_and_cost(conversation, monkeypatch):
    take_turn = services.take_turn
    monkeypatch.setattr(
        services, "take_turn", lambda *a, **k: replace(take_turn(*a, **k), cost=0.25)
    )

    message = services.answer(conversation, TurnRequest("Wat zijn de bezoekuren op B3?"))

    stored = Message.objects.get(pk=message.pk)
    assert stored.state == Message.State.FINISHED
    assert stored.answer == message.answer
    assert stored.citations
    assert all(f"[{citation['n']}]" in stored.answer for citation in stored.citations)
    assert (stored.version, stored.cost) == (1, 0.25)
    assert {"intent_classification", "retrieval", "generation"} <= {
        s["stage"] for s in stored.trace["stages"]
    }


def test_a_follow_up_is_understood_from_what_was_asked_before(conversation):
    services.answer(conversation, TurnRequest("Wie behandelt cataract?"))

    message = services.answer(conversation, TurnRequest("En op welke campus is dat?"))

    assert "Heide" in message.answer


def test_the_last_thumb_counts_and_a_forgotten_conversation_leaves_nothing(conversation):
    message = services.answer(
        conversation, TurnRequest("Kan ik met mijn rolstoel binnen in campus Oever?")
    )
    services.rate(message, is_good=True)
    services.rate(message, is_good=False, reason="wrong")
    measured = CategoryMismatch.objects.get(message_id=message.pk)
    feedback = Feedback.objects.get(message=message)
    assert measured.steering_row == "navigation_or_practical_info"
    assert 0.0 <= measured.mismatch_rate <= 1.0
    assert (feedback.is_good, feedback.reason) == (False, "wrong")

    services.forget(conversation)

    assert not Conversation.objects.filter(pk=conversation.pk).exists()
    assert not Message.objects.filter(pk=message.pk).exists()
    assert not CategoryMismatch.objects.filter(conversation_id=conversation.pk).exists()


def test_a_question_that_is_stopped_before_it_is_taken_does_not_run_on(conversation):
    def stop(message):
        raise TurnStopped

    with pytest.raises(TurnStopped):
        services.answer(conversation, TurnRequest("Welke oogartsen werken hier?"), on_created=stop)

    assert [message.state for message in conversation.messages.all()] == ["stopped"]
