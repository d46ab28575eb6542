"""A question classified as off topic is answered if a page answers it, and refused otherwise."""

import pytest

from chat.behaviours import Behaviour
from chat.stages.generation import generation
from retrieval.intents import Intent
from tests.builders import context, meant, passage, phrases, tools

POOL = passage("Het water van het zwembad is 33 graden warm.")


@pytest.mark.parametrize(
    ("question", "like", "behaviour"),
    [
        ("Hoe warm is het water van het zwembad?", 0.9, Behaviour.ANSWER),
        ("Schrijf een gedicht over de lente", 0.1, Behaviour.REFUSE_OFFTOPIC),
    ],
)
def test_an_off_topic_question_is_refused_only_where_no_page_tells_of_it(question, like, behaviour):
    understood = meant(query=question, intent=Intent.OFF_TOPIC)
    ctx = context(question, understanding=understood, passages=(POOL,))
    kit = tools(
        likeness=lambda asked, texts: [like] * len(texts),
        phrases=phrases(refuse_offtopic="Dat kan ik niet."),
    )

    result = generation(ctx, kit)

    assert result.context.behaviour is behaviour
    assert result.stop is (behaviour is not Behaviour.ANSWER)
    assert ("33 graden" in result.context.answer) is (behaviour is Behaviour.ANSWER)
