"""One engine stands in for another, call by call."""

from dataclasses import dataclass, replace

import pytest

from chat.checking.base import Claim
from chat.engines.base import Fallback
from chat.engines.embedded import EmbeddedEngine
from chat.question.classification import UNREAD
from chat.turn import Turn
from retrieval.intents import Intent
from tests.builders import context, meant, tools
from zol.errors import LLMTimeout

SAID = replace(UNREAD, intent=Intent.NAVIGATION_OR_PRACTICAL_INFO, rewritten="Waar is de ingang?")


@dataclass
class Silent:
    """An engine that waits for somebody who does not answer."""

    name: str = "silent"

    def classify(self, turn, tools):
        raise LLMTimeout("no word")

    def generate(self, context, shown, tools):
        yield Claim("De ingang is vooraan.")
        raise LLMTimeout("no more")


def test_a_failed_classify_leaves_codes_reading_and_tells_why():
    engine = Fallback(Silent(), EmbeddedEngine())
    kit = tools(engine=engine, read=lambda turn, snapshot: meant(classification=SAID))

    said = engine.classify(Turn("Waar is de ingang?"), kit)

    assert said == SAID
    assert "no word" in kit.models.failures[0]


def test_who_shows_an_answer_learns_that_it_broke_off():
    written = Fallback(Silent(), EmbeddedEngine()).generate(context(), (), tools())

    assert next(written).text == "De ingang is vooraan."
    with pytest.raises(LLMTimeout):
        next(written)


def test_the_engine_that_goes_on_is_the_second_one():
    spare = EmbeddedEngine()

    assert Fallback(Silent(), spare).spare is spare
    assert spare.spare is None
