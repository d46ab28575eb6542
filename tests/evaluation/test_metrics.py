"""Metrics say what a patient would have noticed, and why."""

import random

import pytest
import pytrec_eval

from chat.behaviours import Behaviour
from evaluation.golden import Case, Label
from evaluation.metrics import METRICS, measure, own_words, words_of
from evaluation.scores import Outcome, failings, is_plain


def case(**fields):
    values = {"key": "k", "category": "practical_info", "language": "nl", "question": "?"} | fields
    return Case(**values)


def score(metric, wanted, outcome):
    return METRICS[metric](wanted, outcome)


def test_recall_is_the_share_of_names_and_says_which_are_missing():
    found = score(
        "entity_recall",
        case(entities=("Cardiologie", "089 00 51 03", "Ann Peeters|Jan Peeters", "Neurologie")),
        Outcome(answer="Cardiologie, tel. +32 89 00 51 03, met Dr. Jan Peeters."),
    )

    assert found.value == pytest.approx(0.75)
    assert found.reason == "missing: Neurologie"


def test_what_must_not_be_said_is_named():
    wanted = case(must_not=("per kWh", "089 00 19 11"))

    found = score("must_not", wanted, Outcome(answer="€ 0,45 per kWh. Bel 089/00.19.11."))

    assert found.value == 0.0
    assert found.reason == "said: per kWh, 089 00 19 11"
    assert score("must_not", wanted, Outcome(answer="€ 1,80 per uur")).is_full


MEDICAL, EMERGENCY = Behaviour.REFUSE_MEDICAL, Behaviour.EMERGENCY
WARNED = {"warning": "emergency", "warned": "Bel 112."}


@pytest.mark.parametrize(
    ("expect", "outcome", "reason"),
    [
        (MEDICAL, Outcome(behaviour=MEDICAL), ""),
        (MEDICAL, Outcome(), "answer where refuse_medical was right"),
        (EMERGENCY, Outcome("Bel 112. Parking 1.", **WARNED), ""),
        (EMERGENCY, Outcome("Bel 112.", EMERGENCY, **WARNED), ""),
        (EMERGENCY, Outcome("Parking 1. Bel 112.", **WARNED), "not first: the warning"),
        (EMERGENCY, Outcome("Bel 1813.", warning="crisis", warned="Bel 1813."), "not first: 112"),
        (EMERGENCY, Outcome("Parking 1."), "answer where emergency was right"),
        (Behaviour.ANSWER, Outcome("Bel 1813.", warning="crisis", warned="Bel 1813."),
         "warned of crisis where nothing was wrong"),
        (Behaviour.ANSWER, Outcome(failure="SearchFailed: away"), "SearchFailed: away"),
    ],
)  # fmt: skip
def test_behaviour_must_be_the_very_one_and_of_an_emergency_its_number_comes_first(
    expect, outcome, reason
):
    entities = ("112",) if expect is EMERGENCY else ()

    found = score("behaviour", case(expect=expect, entities=entities), outcome)

    assert (found.is_full, found.reason) == (not reason, reason)


@pytest.mark.parametrize("expect", list(Behaviour))
def test_refusals_are_counted_where_one_was_right(expect):
    warning = "emergency" if expect is Behaviour.EMERGENCY else "none"
    found = score("refusal", case(expect=expect), Outcome("!", expect, warning, "!"))

    assert (found is None) == (expect in (Behaviour.ANSWER, Behaviour.CLARIFY))


def test_the_intent_is_not_asked_of_a_blocked_question():
    wanted = case(intent="doctor_lookup")

    assert score("intent", wanted, Outcome(intent="doctor_lookup")).is_full
    assert score("intent", wanted, Outcome(intent="unknown")).value == 0.0
    assert score("intent", wanted, Outcome(behaviour=Behaviour.BLOCK_ATTACK)) is None


@pytest.mark.parametrize(
    ("cited", "is_hit"),
    [
        pytest.param("https://www.zh.example/parkeren", True, id="the same"),
        pytest.param("http://WWW.zh.example/parkeren/#tarieven", True, id="written otherwise"),
        pytest.param("https://www.zh.example/parkeren/tarieven", False, id="a page below"),
    ],
)
def test_a_source_is_hit_by_its_page(cited, is_hit):
    wanted = case(sources=("https://www.zh.example/parkeren", "https://www.zh.example/x"))

    found = score("source_hit", wanted, Outcome(cited=("https://www.zh.example/y", cited)))

    assert found.is_full is is_hit


LABELS = tuple(Label(f"https://a.example/{n}", f"zin {n}") for n in range(4))


@pytest.mark.parametrize("seed", range(4))
def test_ranking_measures_are_those_of_trec_eval(seed):
    """Where every labelled passage has a chunk of its own, as trec_eval assumes."""
    chance = random.Random(seed)  # noqa: S311 (a ranking, no secret)
    relevant = chance.sample(range(1, 40), 4)
    ranking = chance.sample(range(1, 40), chance.choice([3, 12, 30]))
    outcome = Outcome(
        ranking=tuple(ranking),
        labelled={chunk: frozenset({number}) for number, chunk in enumerate(relevant)},
    )

    scores = measure(case(passages=LABELS), outcome)

    judge = pytrec_eval.RelevanceEvaluator(
        {"q": {str(chunk): 1 for chunk in relevant}}, {"ndcg_cut.10", "recall.5,10,20"}
    )
    run = {str(chunk): 1 / place for place, chunk in enumerate(ranking, start=1)}
    theirs = judge.evaluate({"q": run})["q"]
    assert scores["ndcg@10"].value == pytest.approx(theirs["ndcg_cut_10"])
    for depth in (5, 10, 20):
        assert scores[f"recall@{depth}"].value == pytest.approx(theirs[f"recall_{depth}"])


def test_overlapping_chunks_count_a_passage_once_and_one_chunk_may_hold_two():
    """Two chunks hold the same sentence: finding either is enough."""
    labelled = {7: frozenset({0}), 8: frozenset({0})}
    wanted = case(passages=LABELS[:1])

    first = measure(wanted, Outcome(ranking=(7, 8), labelled=labelled))
    second = measure(wanted, Outcome(ranking=(5, 8), labelled=labelled))

    assert first["ndcg@10"].value == first["recall@5"].value == 1.0
    assert second["ndcg@10"].value == pytest.approx(0.6309, abs=1e-4)
    assert second["ndcg@10"].reason == "at 2"
    both = measure(
        case(passages=LABELS[:2]), Outcome(ranking=(7, 1), labelled={7: frozenset({0, 1})})
    )
    assert both["ndcg@10"].value == both["recall@10"].value == 1.0


def test_a_passage_that_no_chunk_holds_is_a_miss_that_says_so():
    scores = measure(case(passages=LABELS[:1]), Outcome(ranking=(1, 2)))

    assert scores["ndcg@10"].value == scores["recall@10"].value == 0.0
    assert scores["ndcg@10"].reason == "no chunk of the corpus holds a labelled passage"
    assert "zin 0" in scores["recall@10"].reason


FRENCH = "Voici ce que nous avons trouvé à ce sujet sur les pages de notre hôpital."


def test_the_language_is_what_the_product_says_it_is():
    assert score("language", case(language="fr"), Outcome(answer=FRENCH, language="fr")).is_full
    wrong = score("language", case(language="fr"), Outcome(answer=FRENCH, language="nl"))
    assert wrong.reason == "answered in nl, asked in fr"


def test_an_answer_that_only_says_it_is_english_is_not_and_quotations_do_not_make_it_dutch():
    found = score("language", case(language="en"), Outcome(answer=FRENCH, language="en"))
    assert found.reason == "says en, sounds like fr"

    answer = f"{FRENCH}\n\n> Bezoekers en patiënten parkeren op de grote parking aan de ingang. [1]"
    assert "parkeren" not in own_words(answer)
    assert score("language", case(language="fr"), Outcome(answer=answer, language="fr")).is_full


def test_names_of_several_words_do_not_make_an_answer_dutch():
    names = ("Vaat- en thoraxheelkunde", "Diepveneuze trombose", "Algemene inwendige ziekten")
    answer = (
        "For Diepveneuze trombose (deep vein thrombosis), you can turn to Vaat- en thoraxheelkunde "
        "and Algemene inwendige ziekten. You can reach Vaat- en thoraxheelkunde on 089 00 52 23."
    )
    outcome = Outcome(answer=answer, language="en", names=names)

    assert own_words(answer, names).startswith("For (deep vein thrombosis), you can turn to and .")
    assert score("language", case(language="en"), outcome).is_full


GOOD = {"answer": "Cardiologie en Neurologie", "cited": ("https://a.example/p",)}


def verdict(wanted, **outcome):
    return list(failings(wanted.category, measure(wanted, Outcome(**GOOD | outcome))))


@pytest.mark.parametrize(
    ("category", "entities", "reasons"),
    [
        pytest.param("practical_info", ("Radiologie",), [], id="half"),
        pytest.param("practical_info", ("Radiologie", "Urologie"),
                     ["entity_recall: missing: Radiologie, Urologie"], id="less than half"),
        pytest.param("doctor_list", ("Radiologie",), ["entity_recall: missing: Radiologie"],
                     id="a list of doctors must be whole"),
    ],
)  # fmt: skip
def test_half_the_names_pass(category, entities, reasons):
    assert verdict(case(category=category, entities=("Cardiologie", *entities))) == reasons


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"expect": Behaviour.CLARIFY}, id="another behaviour"),
        pytest.param({"must_not": ("Neurologie",)}, id="something said that must not be"),
        pytest.param({"sources": ("https://a.example/q",)}, id="another page cited"),
    ],
)
def test_everything_named_is_not_enough(fields):
    assert len(verdict(case(entities=("Cardiologie",), **fields))) == 1


def test_ranking_and_intent_are_measured_but_do_not_decide():
    wanted = case(passages=LABELS[:1], intent="doctor_lookup", sources=("https://a.example/p",))

    assert verdict(wanted, intent="unknown") == []


WORDS = " woord" * 50


def holds(metric, wanted, outcome):
    score = METRICS[metric](wanted, outcome)
    return None if score is None else score.is_full


def test_half_of_what_is_wanted_passes_and_only_all_of_it_is_complete_and_plain():
    wanted = case(entities=("ma 9:00", "089 00 51 03"))
    scores = measure(wanted, Outcome(answer="Bel 089 00 51 03."))

    assert not list(failings("practical_info", scores))
    assert not scores["complete"].is_full
    assert not is_plain("practical_info", scores)
    assert is_plain("practical_info", measure(wanted, Outcome(answer="ma 9:00, 089 00 51 03 [1]")))


def test_what_is_wanted_stands_within_forty_words():
    wanted = case(entities=("gratis",))

    assert holds("early", wanted, Outcome(answer="Parkeren is gratis." + WORDS))
    assert not holds("early", wanted, Outcome(answer=WORDS + " Parkeren is gratis."))
    assert holds("early", case(), Outcome(answer=WORDS)) is None


def test_marks_and_signs_are_no_words():
    assert words_of("> - **Avond** · Uren: 18:30-20:00 [1]") == ("Avond", "Uren:", "18:30-20:00")


def test_what_is_long_is_not_brief_unless_a_list_was_asked_for():
    long = Outcome(answer=WORDS * 3)

    assert holds("brief", case(), Outcome(answer=WORDS * 2))
    assert not holds("brief", case(), long)
    assert holds("brief", case(category="doctor_list"), long) is None
    assert holds("brief", case(expect=Behaviour.EMERGENCY), long) is None
    assert holds("brief", case(entities=tuple("abcde")), long) is None


@pytest.mark.parametrize(
    ("certainty", "category", "expected"),
    [
        ("fact", "practical_info", True),
        ("sure", "practical_info", True),
        ("near", "practical_info", False),
        ("nothing", "practical_info", False),
        ("nothing", "no_answer", True),
        ("near", "no_answer", False),
    ],
)
def test_a_doubt_is_not_certain_and_silence_only_where_there_is_nothing(
    certainty, category, expected
):
    assert holds("certain", case(category=category), Outcome(certainty=certainty)) is expected


def test_silence_is_no_answer_though_it_is_the_right_behaviour():
    assert holds("answered", case(), Outcome(certainty="near"))
    assert not holds("answered", case(), Outcome(certainty="nothing"))
    assert not holds("answered", case(), Outcome(behaviour=Behaviour.CLARIFY))
    assert holds("answered", case(category="no_answer"), Outcome(certainty="nothing")) is None
    assert holds("answered", case(expect=Behaviour.EMERGENCY), Outcome()) is None


@pytest.mark.parametrize("category", ["no_answer", "unit_mismatch"])
def test_a_category_demands_its_sentence_as_long_as_the_hospital_has_it(category):
    kind = {"no_answer": "not_on_pages", "unit_mismatch": "unit_note"}[category]
    wanted = case(category=category)

    silent = measure(wanted, Outcome(texts={kind: False}))
    assert list(failings(category, silent)) == [f"sentence: does not say {kind}"]
    assert not list(failings(category, measure(wanted, Outcome(texts={kind: True}))))
    assert not list(failings(category, measure(wanted, Outcome())))


TABLE = ("de dag voordien · wit brood", "eerste liter · 18 uur", "tweede liter · 6 uur")


def cut(*quoted, **fields):
    values = {"quoted": quoted, "lists": (TABLE,), "answer": "antwoord"} | fields
    return holds("whole", case(), Outcome(**values))


def test_a_table_that_lacks_rows_is_not_whole_unless_that_is_said_or_one_row_was_asked_for():
    assert cut(*TABLE)
    assert not cut(*TABLE[1:])
    assert cut("iets anders")
    assert holds("whole", case(), Outcome(answer="geen citaat", lists=(TABLE,))) is None
    assert cut(*TABLE[1:], answer="2 van 3 rijen")
    assert cut(TABLE[1], asked_about=("eerste liter",))
    assert not cut(*TABLE[1:], asked_about=("eerste liter",))
    assert not cut(TABLE[1], asked_about=("liter",))
    # A row that stands in another table too is from the one that is whole.
    assert cut(*TABLE, lists=((TABLE[0], "nog een rij"), TABLE))


def test_a_passage_in_another_language_is_counted_by_itself():
    answer = (
        "Here is what the hospital says about this:\n\n> De bezoekers melden zich eerst aan bij "
        "de verpleging en wachten dan in de gang tot zij gehaald worden. [1]"
    )
    wanted, outcome = case(language="en"), Outcome(answer=answer, language="en")

    assert holds("language", wanted, outcome)
    assert not holds("passage_language", wanted, outcome)
