"""What the first visitor's question needs is loaded before somebody asks it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from chat import warm_up as rehearsal
from chat.models import Message
from chat.services import take_turn
from chat.turn import Turn
from retrieval import embedding
from taxonomy import dictionary
from taxonomy.live import forget_snapshots, live_snapshot
from zol.languages import LANGUAGES


@pytest.fixture
def rehearsed(mini):
    """A process that has forgotten everything, and has then rehearsed."""
    dictionary._known.cache_clear()
    embedding._made.cache_clear()
    forget_snapshots()
    with ThreadPoolExecutor(1) as thread:
        thread.submit(rehearsal.warm_up).result()
    return mini


def test_the_first_question_finds_everything_derived(rehearsed):
    before = set(live_snapshot()._derived)
    for text, language in (("Waar kan ik parkeren?", "nl"), ("Can I visit a patient?", "en")):
        take_turn(Turn(text, language=language))

    assert before
    assert set(live_snapshot()._derived) == before


def test_dictionary_and_both_encoders_are_read(rehearsed):
    assert dictionary._known.cache_info().currsize == 1
    assert "_encoder" in vars(embedding.get_embedder())
    assert "_model" in vars(embedding.get_listener())


def test_every_language_is_rehearsed(mini):
    assert {turn.language for turn in rehearsal.questions(live_snapshot())} == set(LANGUAGES)


def test_nothing_is_kept_of_it(mini, request):
    before = Message.objects.count()
    request.getfixturevalue("rehearsed")

    assert Message.objects.count() == before


def test_a_hospital_that_published_nothing_is_told_of(hospital, caplog):
    rehearsal._rehearse(hospital)

    assert "is not ready" in caplog.text
