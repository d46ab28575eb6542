"""A model writes the answer from numbered lines; each statement is shown once it is decided, and what
cannot be shown in its words is shown by its lines. Nothing is taken back."""

import json
from datetime import datetime

import pytest

from chat import services
from chat.behaviours import Certainty, Mode
from chat.channels import sessions
from chat.engines.model.answer import PROMPT, SCHEMA
from chat.models import CachedAnswer, Intervention, Message, ModelCall
from chat.phrases import phrases_of, prompts_of
from chat.services import TurnRequest
from chat.turn import Exchange, Suggested, Token
from retrieval.analysis import count_tokens
from taxonomy.publishing.live import live_snapshot
from tests.chat.model.conftest import QUESTION, said, show, verdicts, written
from tests.scripted import Line
from zol.clock import hospital_now
from zol.tenancy import required_hospital_id

GIVEN = "Na een ingreep krijgt uw kind pijnstilling mee."
GOOD = said(GIVEN, GIVEN)
NURSE = said("De verpleegkundige overloopt het schema met u.", "overloopt het schema")
#: In other words than the line's.
PRICE = said("Voor de siroop betaalt u 7,50 euro in onze apotheek.", "De siroop kost")
PRICE_LINE = "De siroop kost 7,50 euro in de apotheek van het ziekenhuis."
PAGE = "https://www.azm-mini.example/zorg/pijnstilling"


def is_shown_once(stack, ctx):
    """Whether what was shown piece by piece is how the answer begins: nothing was taken back."""
    return ctx.answer.startswith(stack.seen) and bool(stack.seen)


def test_the_answer_is_the_models_with_its_sources_and_the_place_of_their_lines(stack):
    stack.play(GOOD, NURSE, said("Nuchter vanaf middernacht.", "nuchter vanaf middernacht"))

    ctx = stack.ask()

    assert ctx.reply.engine == "model"
    assert ctx.answer.startswith(
        f"{GIVEN} [1] {NURSE['text']} [1]\n\nNuchter vanaf middernacht. [2]"
    )
    assert [citation.n for citation in ctx.citations] == [1, 2]
    first = ctx.citations[0]
    assert first.url == PAGE
    assert first.passage == f"{GIVEN}\n{NURSE['text']}"
    assert first.chunk_id
    assert (ctx.reply.certainty, ctx.reply.verified, ctx.degraded) == (Certainty.SURE, False, False)
    # Each statement is shown once it is whole.
    assert is_shown_once(stack, ctx)
    assert sum(isinstance(event, Token) for event in stack.events) == 3


def test_the_rules_are_the_same_for_every_turn_and_long_enough_to_be_kept_by_a_provider(stack):
    stack.play(GOOD)

    stack.ask()
    stack.ask("What does the syrup cost?", language="en", at=datetime(2026, 3, 2, 10, 40))

    first, second, *_ = (request["messages"] for request in stack.asked())
    assert first[0] == second[0]
    rows = live_snapshot().derived(prompts_of).sections[PROMPT]
    rules = "\n\n".join(row for row in rows if not row.startswith("Example"))
    assert count_tokens(rules) <= 900
    assert count_tokens(first[0]["content"]) + count_tokens(json.dumps(SCHEMA)) >= 1_024
    assert "Answer in English." in second[1]["content"]
    assert second[1]["content"].endswith("Question: What does the syrup cost?")


@pytest.mark.parametrize(
    ("mode", "model", "tokens"),
    [
        (Mode.STANDARD, "tiny-primary", 1_000),
        (Mode.FULL, "tiny-primary", 1_500),
        (Mode.ESCALATED, "tiny-escalation", 3_000),
    ],
)
def test_each_mode_has_its_model_and_its_length(stack, mode, model, tokens):
    stack.play(GOOD)

    stack.ask(mode=mode)

    (request,) = stack.asked()
    assert (request["model"], request["max_completion_tokens"]) == (model, tokens)


def test_the_conversation_so_far_is_told_without_its_marks(stack):
    stack.play(GOOD)

    stack.ask(history=(Exchange("Wat is cataract?", "Een troebele lens. [1]"),))

    assert "Visitor: Wat is cataract?\nAssistant: Een troebele lens.\n" in told(stack)


def test_who_works_where_is_evidence_and_those_who_are_left_out_are_added(stack):
    stack.play(said("Dit zijn de oogartsen:"), said("Emre Çalışkan", "Çalışkan", form="item"))

    ctx = stack.ask("Welke oogartsen werken hier?")

    assert ctx.reply.engine == "model"
    names = [doctor.name for doctor in ctx.published.roster]
    assert len(names) > 1
    assert all(ctx.answer.count(name) == 1 for name in names)
    assert is_shown_once(stack, ctx)


@pytest.mark.parametrize(
    ("verdict", "shown", "fate"),
    [
        pytest.param(verdicts, PRICE["text"], "said", id="supported"),
        pytest.param(
            lambda request: verdicts(request, "contradicted"), PRICE_LINE, "quoted instead",
            id="contradicted",
        ),
        pytest.param(
            lambda request: verdicts(request, dropped=True), PRICE_LINE, "quoted instead",
            id="a condition dropped",
        ),
        pytest.param(Line(status=500), PRICE_LINE, "quoted instead", id="none"),
        pytest.param(Line("x", delay=4), PRICE_LINE, "quoted instead", id="none in time"),
    ],
)  # fmt: skip
def test_what_code_cannot_tell_waits_for_a_verdict_else_its_lines_stand_there(
    stack, verdict, shown, fate
):
    stack.play(GOOD, PRICE, NURSE, verdict=verdict)

    ctx = stack.ask()

    assert stack.fates == ["said", fate, "said"]
    assert shown in ctx.answer
    assert (PRICE["text"] in ctx.answer) is (fate == "said")
    assert ctx.answer.index(shown) < ctx.answer.index(NURSE["text"])
    assert (ctx.reply.certainty is Certainty.SURE) is (fate == "said")
    assert is_shown_once(stack, ctx)


def test_without_verdicts_nobody_is_asked_and_nobody_waits(stack, settings):
    settings.MODEL_VERIFY = False
    stack.play(PRICE)

    ctx = stack.ask()

    assert stack.asked("verdict") == []
    assert f"> {PRICE_LINE} [1]" in ctx.answer


@pytest.mark.parametrize(
    ("language", "question", "words"),
    [
        ("nl", "Wat kost de siroop?", "Bij ons betaalt u voor de siroop 7,50 euro."),
        (
            "en",
            "What does the syrup cost at the pharmacy?",
            "You pay 7.50 euro for it in our house.",
        ),
        ("tr", "Şurubun ücreti ne kadar?", "Bizde şurup için 7,50 euro ödersiniz."),
        ("el", "Πόσο κοστίζει το σιρόπι στο φαρμακείο;", "Σε εμάς το σιρόπι πληρώνεται 7,50 ευρώ."),
    ],
)
def test_who_cannot_read_the_lines_is_told_that_a_statement_is_unconfirmed(
    stack, language, question, words
):
    stack.play(said(words, "De siroop kost"), verdict=Line(status=500))

    ctx = stack.ask(question, language=language)

    remark = phrases_of(live_snapshot()).say("unconfirmed", language)
    is_foreign = language != "nl"
    assert (f"{words} [1] *{remark}*" in ctx.answer) is is_foreign
    assert (f"> {PRICE_LINE} [1]" in ctx.answer) is not is_foreign
    assert ctx.reply.certainty is Certainty.NEAR


def test_a_language_that_is_not_offered_is_answered_in_the_hospitals_and_english(stack):
    dutch = said("De siroop kost 7,50 euro in de apotheek van het ziekenhuis.", "De siroop kost")
    english = said("The syrup costs 7.50 euro in the pharmacy of the hospital.", "De siroop kost")
    stack.play(dutch, english)

    ctx = stack.ask("Quanto costa lo sciroppo nella farmacia dell'ospedale?")

    assert "Answer in Dutch, and then again in English." in told(stack)
    notice = phrases_of(live_snapshot()).say("unsupported_language", "nl")
    assert ctx.answer.startswith(notice)
    assert dutch["text"] in ctx.answer
    assert english["text"] in ctx.answer


def told(stack):
    """What a model is told last."""
    return stack.asked()[0]["messages"][-1]["content"]


def test_a_quotation_says_which_language_it_is_in_where_it_is_another(stack):
    risky = said("Give 8 ml four times a day from 4 to 6 years.", "4 tot 6 jaar")
    stack.play(risky, verdict=Line(status=500))

    ctx = stack.ask("What does the leaflet about syrup after surgery say?", language="en")

    assert "The page says this in Dutch:\n\n> " in ctx.answer
    assert "8 ml four times" not in ctx.answer
    assert "Hoeveelheid siroop" in ctx.answer


def test_a_dose_is_printed_as_its_table_has_it(stack):
    stack.play(GOOD, show("2 tot 3 jaar", "4 tot 6 jaar"))

    ctx = stack.ask()

    assert (
        "**Siroop per leeftijd** [1]\n\n"
        "| Leeftijd | Gewicht | Hoeveelheid siroop | Hoe vaak |\n|---|---|---|---|\n"
        "| 2 tot 3 jaar | 12 tot 15 kg | 6 ml | 4 keer per dag |\n"
        "| 4 tot 6 jaar | 16 tot 21 kg | 8 ml | 4 keer per dag |"
    ) in ctx.answer
    assert stack.fates == ["said", "shown as lines"]
    assert ctx.reply.certainty is Certainty.SURE


@pytest.mark.parametrize(
    ("missing", "said", "unsaid", "desk"),
    [
        pytest.param(["de prijs van een logeerbed", "www.elders.example"],
                     "Dit vond ik niet op onze pagina's: de prijs van een logeerbed. Bel", "elders",
                     "AZM op 011 00 10 10.", id="in the model's words"),
        pytest.param(["bel 0900 123 456"],
                     "Op het andere deel van uw vraag vond ik geen betrouwbaar antwoord.", "0900",
                     "Bel 011 00 10 00, dan helpt", id="without words for it"),
    ],
)  # fmt: skip
def test_what_the_pages_do_not_say_is_said_with_the_desk(stack, missing, said, unsaid, desk):
    stack.play(GOOD, status="partial", missing=missing)

    ctx = stack.ask()

    assert said in ctx.answer
    assert unsaid not in ctx.answer
    assert desk in ctx.answer
    assert ctx.reply.certainty is Certainty.NEAR
    assert is_shown_once(stack, ctx)


@pytest.mark.parametrize("statements", [(), (GOOD,)], ids=["nothing said", "said all the same"])
def test_where_the_pages_say_nothing_the_desk_is_named_and_no_source(stack, statements):
    stack.play(*statements, status="none", missing=["wat een maanreis kost"])

    ctx = stack.ask()

    assert ctx.answer.startswith("Dat vond ik niet op onze pagina's. Bel")
    assert (ctx.citations, ctx.reply.certainty) == ((), Certainty.NOTHING)


def test_published_data_alone_earn_the_badge(stack):
    stack.play(show("Telefoon 011 00 10 00"))

    ctx = stack.ask("Wat is het telefoonnummer van het ziekenhuis voor pijnstilling?")

    assert "011 00 10 00" in ctx.answer
    assert (ctx.reply.certainty, ctx.reply.verified) == (Certainty.FACT, True)


WRONG = said("De siroop is gratis voor iedereen.", "nergens te vinden")


def test_where_the_first_statement_cannot_stand_a_new_request_names_why(stack):
    replies = [(WRONG, GOOD), (GOOD,)]
    stack.play(answer=lambda request: written(request, *replies.pop(0)))

    ctx = stack.ask()

    _, again = stack.asked()
    assert "De siroop is gratis voor iedereen" in again["messages"][-1]["content"]
    assert ctx.answer.startswith(GIVEN)
    assert stack.fates == ["said"]
    assert stack.trace["generation"].detail["thrown_away"][0]["became"] == "left out"
    assert is_shown_once(stack, ctx)


def test_where_no_time_is_left_for_that_code_answers(stack, settings):
    settings.MODEL_SECONDS = 4.5
    stack.play(WRONG)

    ctx = stack.ask()

    assert len(stack.asked()) == 1
    assert (ctx.reply.engine, ctx.degraded) == ("embedded", True)
    assert is_shown_once(stack, ctx)


@pytest.mark.parametrize(
    "line",
    [
        Line(status=500),
        Line(raw="not json"),
        Line(""),
        Line("Dat doe ik niet.", finish="content_filter"),
        Line("<think>Wat zal ik zeggen? [2.1]"),
        Line('{"status": "partial", "statements": [{"lines": ["2.1"], "form": "sent', cut_after=6),
        Line('{"status": 3, "statements": "geen", "missing": 1}'),
    ],
    ids=lambda line: f"{line.status} {line.raw or line.text or 'empty'}"[:40],
)
def test_where_the_model_fails_code_answers_once_and_the_trace_tells(stack, line):
    stack.play(answer=line, text=line)

    ctx = stack.ask()

    assert (ctx.reply.engine, ctx.degraded) == ("embedded", True)
    assert stack.trace["generation"].detail["model_failure"]
    assert "pijnstilling" in ctx.answer.lower()
    assert stack.seen == ctx.answer
    assert ctx.citations


def whole(request):
    return written(request, GOOD, NURSE)


@pytest.mark.parametrize(
    "told",
    [
        pytest.param(lambda said: f"```json\n{said}\n```", id="a fence"),
        pytest.param(lambda said: f"Hier is het antwoord: {said} Veel sterkte.", id="prose round it"),
        pytest.param(lambda said: said + '{"status": "none"}', id="two objects"),
        pytest.param(lambda said: said.replace("krijgt", "krijgt\\u0000"), id="NUL"),
        pytest.param(lambda said: said.replace("krijgt", "krijgt\\ud83d"), id="half a character"),
        pytest.param(lambda said: f"<think>Even denken.</think>{said}", id="a thought before it"),
    ],
)  # fmt: skip
def test_a_reply_in_an_odd_form_is_read_all_the_same(stack, told):
    stack.play(answer=lambda request: told(whole(request)))

    ctx = stack.ask()

    assert ctx.answer.startswith(f"{GIVEN} [1] {NURSE['text']} [1]")
    assert "statements" not in stack.seen


def test_of_forty_statements_ten_are_read_and_one_without_end_is_shown_by_its_lines(stack):
    often = [
        "rustig",
        "graag",
        "samen",
        "nog",
        "zeker",
        "dan",
        "eerst",
        "straks",
        "ook",
        "even",
        "eens",
        "weer",
    ]
    nurses = [
        said(f"De verpleegkundige overloopt {how} het schema.", "het schema") for how in often
    ]
    stack.play(said("Zonder einde. " * 400, GIVEN), *nurses, *nurses[:1], *[NURSE] * 26)

    ctx = stack.ask()

    assert len(stack.fates) == 10
    assert ctx.answer.startswith(f"{GIVEN} [1]")
    assert "Zonder einde" not in ctx.answer
    assert ctx.answer.count(nurses[0]["text"]) == 1


def test_sentences_with_marks_are_read_where_an_endpoint_knows_no_shapes(stack):
    def sentences(request):
        number = json.loads(written(request, GOOD))["statements"][0]["lines"][0]
        return f"{GIVEN} [{number}]"

    stack.play(answer="Ik ken geen JSON.", text=sentences)

    ctx = stack.ask()

    assert ctx.answer.startswith(f"{GIVEN} [1]")
    assert ctx.reply.engine == "model"


def test_what_was_shown_of_a_broken_answer_stays_and_code_goes_on(stack):
    def cut(request):
        reply = written(request, GOOD, PRICE, NURSE)
        whole = reply.index("overloopt het schema")
        return Line(reply, cut_after=reply[:whole].count(" "))

    stack.play(answer=cut)

    ctx = stack.ask()

    assert ctx.reply.engine == "model"
    assert ctx.degraded
    assert ctx.answer.startswith(f"{GIVEN} [1] {PRICE['text']} [1]\n\n> ")
    assert NURSE["text"][:20] not in ctx.answer.split("\n\n")[0]
    assert is_shown_once(stack, ctx)
    assert (ctx.reply.certainty, ctx.reply.lasts) == (Certainty.NEAR, False)


def test_what_staff_announce_comes_before_the_models_words_and_is_no_word_of_its_prompt(stack):
    day = hospital_now().date()
    Intervention.objects.create(
        hospital_id=required_hospital_id(), kind="bulletin", text_nl="De apotheek is dicht.",
        valid_to=day,
    )  # fmt: skip
    stack.play(GOOD)

    ctx = stack.ask()

    assert ctx.answer.startswith("**")
    assert f"De apotheek is dicht.\n\n{GIVEN} [1]" in ctx.answer
    assert "apotheek is dicht" not in str(stack.endpoint.requests)


@pytest.fixture
def talk(stack, hospital_with_doses):
    return sessions.start(hospital_with_doses, "nl")


def test_further_questions_come_after_the_answer_from_lines_that_it_left_unused(stack, talk):
    def suggest(request):
        unused, _, before = request["messages"][-1]["content"].partition("Answered already:")
        assert GIVEN not in unused
        assert f"Visitor: {QUESTION}\nAssistant: {GOOD['text']}" in before
        number = json.loads(written(request, PRICE))["statements"][0]["lines"][0]
        told = (
            (number, "Wat kost de siroop in de apotheek?"), ("99.1", "Waar is de maan?"),
            (number, "Hoe word ik piloot bij de luchtmacht?"),
        )  # fmt: skip
        return json.dumps({"suggestions": [{"lines": [at], "question": q} for at, q in told]})

    stack.play(GOOD, suggest=suggest)
    events = []

    message = services.answer(talk, TurnRequest(QUESTION), emit=events.append)

    assert message.follow_ups == []
    offered = ("Wat kost de siroop in de apotheek?",)
    assert events[-1] == Suggested(str(message.pk), offered)
    assert Message.objects.get(pk=message.pk).follow_ups == [*offered]
    assert CachedAnswer.objects.get().follow_ups == [*offered]
    assert ModelCall.objects.filter(message=message.pk, purpose="suggest").count() == 1


def test_a_thumb_down_throws_away_what_others_would_have_got(stack, talk):
    stack.play(GOOD)
    message = services.answer(talk, TurnRequest(QUESTION))
    assert CachedAnswer.objects.count() == 1

    services.rate(message, is_good=False)

    assert not CachedAnswer.objects.exists()


@pytest.mark.parametrize(
    "told",
    [
        pytest.param({"verdict": Line(status=500)}, id="replaced"),
        pytest.param({"status": "partial", "missing": ["de prijs"]}, id="a part is missing"),
    ],
)
def test_what_is_not_sure_is_not_kept_for_others(stack, talk, told):
    stack.play(GOOD, PRICE, **told)

    services.answer(talk, TurnRequest(QUESTION))

    assert not CachedAnswer.objects.exists()


def test_what_tells_of_this_moment_is_not_kept_either(stack):
    stack.play(show("nu gesloten"))

    ctx = stack.ask("Is Oogziekten nu open?", at=datetime(2026, 11, 29, 10, 40))

    assert stack.fates == ["shown as lines"], stack.trace["generation"].detail["prompt"]
    assert not ctx.reply.lasts
