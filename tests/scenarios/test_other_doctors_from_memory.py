"""A cosine of 0.97 between "welke cardiologen" and "welke orthopedisten": the wrong doctors came."""

from chat import services
from chat.answer_cache import store as remembering
from chat.answer_cache.store import AnswerCache
from chat.channels import sessions
from taxonomy.publishing.live import live_snapshot


def test_each_department_keeps_its_own_doctors(mini):
    for department, expected in (("longziekten", "Lotte"), ("oogziekten", "Çalışkan")):
        message = services.answer(
            sessions.start(mini, "nl"), f"Welke artsen werken bij {department}?"
        )
        assert not message.cached
        assert expected in message.answer


def test_not_even_when_every_question_sounds_the_same(mini):
    from chat.answer_cache.key import gist_of
    from chat.turn import Context, Turn
    from chat.wiring import read_by_code, tools

    cache = AnswerCache(live_snapshot(), duplicate=-1.0)
    kit = tools()

    def turn(question):
        asked = Turn(question)
        ctx = Context(asked, question=question, understanding=read_by_code(asked, kit.snapshot))
        return ctx, cache.alike(ctx, gist_of(ctx, kit.snapshot))

    ctx, found = turn("Welke artsen werken bij longziekten?")
    remembering.keep(ctx.learn(text="De longartsen.", ticket=found.ticket), seconds=60)

    assert turn("Welke dokters werken er bij longziekten?")[1].answer.answer == "De longartsen."
    assert turn("Welke artsen werken bij oogziekten?")[1].answer is None
    assert turn("Wat is het telefoonnummer van longziekten?")[1].answer is None
