"""The stages run in order, and a stage that fails still leaves an answer."""

import re
from pathlib import Path

import pytest

from chat.behaviours import Behaviour
from chat.pipeline import PIPELINE, run
from chat.stages.retrieval import OTHER_KINDS
from chat.turn import Phase, Record, StageStarted, Token, Turn
from retrieval.intents import Intent
from retrieval.query import SearchResult
from retrieval.tuning import RetrievalTuning, Steering
from taxonomy.vocabulary import Kind, Predicate
from tests.builders import meant, passage, phrases, snapshot, source, thing, tools, vocabulary
from zol.errors import EmbeddingFailed, SearchFailed, UnusableReply

ROOT = Path(__file__).parents[2]
DOCUMENTS = (ROOT / "README.md", ROOT / "docs" / "architecture.md")
DERMATOLOGY = thing(Kind.DEPARTMENT, "Dermatologie", phone="089 00 22 33")
DOCTORS = [thing(Kind.DOCTOR, f"Dokter {letter}", title="Dr.") for letter in "ABCDE"]
WORDS = vocabulary(*((doctor, Predicate.WORKS_IN, DERMATOLOGY) for doctor in DOCTORS))
ENTRANCE = passage(
    "De ingang van campus Noord is toegankelijk met een rolstoel.", 0.65, category="practical"
)
REIMBURSEMENT = passage(
    "Terugbetaling van een rolstoel vraagt een voorschrift.", 0.85, category="regulatory"
)
ROW = "navigation_or_practical_info"
STEERING = Steering(
    by_intent={Intent.NAVIGATION_OR_PRACTICAL_INFO: ROW},
    cells={(ROW, "practical"): 1.30, (ROW, "regulatory"): 0.55},
)
TEXTS = phrases(
    lead_roster="Bij {department} werken {count} artsen:",
    lead_practical="Dit vindt u hierover bij {short_name}:",
    refuse_medical="Dat mag ik niet zeggen.",
    thanks="Graag gedaan!",
    not_on_pages="Hierover vond ik niets. Bel {desk_phone}.",
    error="Er ging iets mis. Bel {phone}.",
)
PRACTICAL = meant(
    intent=Intent.NAVIGATION_OR_PRACTICAL_INFO, query="Is de ingang toegankelijk met een rolstoel?"
)


def ask(understanding=PRACTICAL, *, question="Kan ik met mijn rolstoel naar binnen?", **kit):
    heard = {"read": lambda turn, snapshot: understanding}
    values = {"words": WORDS, "phrases": TEXTS, "steering": STEERING} | heard | kit
    return run(Turn(question), tools(**values))


def by_stage(trace):
    return {record.stage: record for record in trace}


def test_the_order_is_the_design():
    """The one test that changes when a stage is added."""
    stages = (
        "input_processing intent_classification semantic_cache query_rewrite strategy_selection "
        "retrieval reranking graph_enrichment context_building generation post_processing"
    )

    assert [stage.name for stage in PIPELINE] == stages.split()


def test_every_switch_is_one_an_operator_has():
    asked = re.compile(r"(?:switch=|is_on\()\"(\w+)\"")
    files = [*(ROOT / "chat" / "stages").glob("*.py"), *(ROOT / "chat").glob("*/*.py")]
    switches = {name for file in files for name in asked.findall(file.read_text("utf-8"))}

    assert {"crag", "reranker"} <= switches
    assert all(isinstance(getattr(RetrievalTuning(), name), bool) for name in switches)


def test_the_entrance_is_answered_and_not_the_reimbursement():
    ctx, _ = ask(finds=[REIMBURSEMENT, ENTRANCE])

    assert ENTRANCE.text in ctx.answer
    assert "voorschrift" not in ctx.answer
    assert ctx.citations[0].url == ENTRANCE.source.url


def test_without_the_framework_the_reimbursement_comes_first():
    flags = {"value_framework": False}
    ctx, _ = ask(finds=[REIMBURSEMENT, ENTRANCE], flags=flags)

    assert ctx.passages[0] == REIMBURSEMENT or ctx.passages[0].text == REIMBURSEMENT.text


def test_medical_advice_is_refused_before_anything_is_searched():
    ctx, trace = ask(meant(intent=Intent.OUT_OF_SCOPE_MEDICAL_ADVICE))

    assert ctx.answer == "Dat mag ik niet zeggen."
    assert ctx.behaviour is Behaviour.REFUSE_MEDICAL
    assert "retrieval" not in by_stage(trace)
    thanked, _ = ask(meant(intent=Intent.VAGUE_INPUT, greeting="thanks"))
    assert (thanked.answer, thanked.behaviour) == ("Graag gedaan!", Behaviour.CLARIFY)


def test_without_understanding_the_visitors_own_words_are_searched():
    asked = []

    def fail(turn, snapshot):
        raise UnusableReply("no JSON")

    def search(query):
        asked.append(query.text)
        return SearchResult((ENTRANCE,))

    ctx, trace = ask(read=fail, search=search, question="Is de ingang toegankelijk?")

    assert asked[0] == "is de ingang toegankelijk"
    assert ctx.degraded
    assert by_stage(trace)["intent_classification"].failure == "UnusableReply('no JSON')"


def test_without_search_the_taxonomy_still_answers():
    def fail(query):
        raise SearchFailed("the database is away")

    ctx, _ = ask(meant(DERMATOLOGY, intent=Intent.DOCTOR_LOOKUP, wants_list=True), search=fail)

    assert "Bij Dermatologie werken 5 artsen:" in ctx.answer
    assert all(doctor.name in ctx.answer for doctor in DOCTORS)
    assert ctx.degraded


def test_when_nothing_is_found_the_visitor_gets_a_telephone_number():
    ctx, _ = ask(finds=[])

    assert ctx.answer == "Hierover vond ik niets. Bel 089 00 00 00."
    assert ctx.behaviour is Behaviour.ANSWER


def on_a(kind, text="Een bladzijde."):
    return passage(text, 0.9, category="practical", source=source(category=kind))


NARROW = Steering(page_categories={Intent.NAVIGATION_OR_PRACTICAL_INFO: frozenset({"Location"})})
FOLDER = snapshot(
    WORDS, taxonomy__lexiconconcept=[{"concept": "brochure", "kind": "practical", "nl": "folder"}]
)


@pytest.mark.parametrize(
    ("question", "first", "other"),
    [
        pytest.param("Waar is de ingang?", "Location", "Legal", id="by the intent"),
        pytest.param("Wat zegt de folder over de ingang?", "Brochure", "Location", id="as asked"),
    ],
)
def test_pages_of_another_kind_count_for_less_and_are_not_left_out(question, first, other):
    found = [on_a(other), *(on_a(first, f"Plaats {n}.") for n in range(3))]

    ctx, _ = ask(question=question, finds=found, steering=NARROW, snapshot=FOLDER)

    assert [p.source.category for p in ctx.passages] == [*[first] * 3, other]
    assert ctx.passages[-1].base == pytest.approx(0.9 * OTHER_KINDS)


def test_a_filter_that_leaves_too_little_is_dropped_unless_the_request_names_it():
    few = [on_a("Legal"), on_a("Location")]
    ctx, trace = ask(finds=few, steering=NARROW)
    asked = []

    def search(query):
        asked.append(query.categories)
        return SearchResult()

    kit = tools(phrases=TEXTS, search=search, read=lambda turn, snapshot: PRACTICAL)
    run(Turn("vraag", categories=("Legal",)), kit)

    assert by_stage(trace)["retrieval"].detail["filter_dropped"]
    assert {p.base for p in ctx.passages} == {0.9}
    assert asked[0] == frozenset({"Legal"})


def test_what_happens_can_be_watched():
    seen = []
    ask(finds=[ENTRANCE], emit=seen.append)

    phases = [event.phase for event in seen if isinstance(event, StageStarted)]
    assert list(dict.fromkeys(phases)) == list(Phase)
    text = "".join(event.text for event in seen if isinstance(event, Token))
    assert ENTRANCE.text in text
    done = [event.stage for event in seen if isinstance(event, Record)]
    assert done == [stage.name for stage in PIPELINE]


def failing(error):
    def fail(*asked):
        raise error

    return fail


@pytest.mark.parametrize(
    ("tool", "error", "is_degraded"),
    [
        pytest.param("neighbours", SearchFailed("away"), True, id="what stands beside"),
        pytest.param("likeness", EmbeddingFailed("away"), False, id="the embedding"),
    ],
)
def test_what_cannot_be_read_beside_the_passages_costs_no_answer(tool, error, is_degraded):
    seen = []

    ctx, _ = ask(finds=[REIMBURSEMENT, ENTRANCE], emit=seen.append, **{tool: failing(error)})

    assert ctx.answer.count(ENTRANCE.text) == 1
    assert ctx.answer == "".join(event.text for event in seen if isinstance(event, Token))
    assert ctx.citations[0].url == ENTRANCE.source.url
    assert ctx.degraded is is_degraded


def test_readme_and_architecture_draw_the_stages_by_phase():
    rows = [
        f"{phase:<15}" + " → ".join(stage.name for stage in PIPELINE if stage.phase is phase)
        for phase in dict.fromkeys(stage.phase for stage in PIPELINE)
    ]

    for document in DOCUMENTS:
        assert "```\n" + "\n".join(rows) + "\n```" in document.read_text(encoding="utf-8")


def test_architecture_lists_every_stage_and_its_steps():
    table = re.findall(r"^\| (`.*?|) \|", DOCUMENTS[1].read_text(encoding="utf-8"), re.MULTILINE)

    assert {stage.name for stage in PIPELINE} <= set(re.findall(r"`(\w+)`", " ".join(table)))
