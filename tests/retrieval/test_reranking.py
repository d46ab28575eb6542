"""A reranker puts the best passages in order; whatever goes wrong, the order of before stands."""

import json
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.pipeline import run
from chat.turn import Turn
from retrieval.ranking import read_as, reordered
from retrieval.reranking import get_reranker
from retrieval.tuning import RetrievalTuning, Steering
from tests.builders import meant, passage, source, tools
from tests.scripted import Line, scripted_endpoint
from zol.errors import RerankFailed

TEXTS = ["Parkeren kost twee euro.", "De cafetaria is open.", "De ingang is links."]
ON = Steering(tuning=RetrievalTuning(reranker=True))


def results(*pairs, **more):
    rows = [{"index": at, "relevance_score": score} for at, score in pairs]
    return Line(raw=json.dumps({"results": rows}), **more)


@pytest.fixture
def endpoint(settings):
    with scripted_endpoint() as served:
        settings.RERANK = {"url": served.url, "model": "een-model", "api_key": "", "seconds": 10.0}
        yield served


def test_the_common_form_is_spoken(endpoint):
    endpoint.play([results((2, 0.9), (0, 0.2), (1, -3.5))])

    assert get_reranker()("Waar is de ingang?", TEXTS) == [0.2, -3.5, 0.9]

    asked = endpoint.requests[0]
    assert (asked["model"], asked["query"]) == ("een-model", "Waar is de ingang?")
    assert (asked["documents"], asked["top_n"]) == (TEXTS, 3)


def test_a_server_with_another_word_for_documents_is_asked_in_its_own(endpoint):
    refused = Line(status=422, raw='{"error": "missing field `texts`"}')
    scores = json.dumps([{"index": 1, "score": 0.7}, {"index": 0, "score": 0.1}])
    endpoint.play([refused, Line(raw=scores), Line(raw=scores)])

    assert get_reranker()("?", TEXTS) == [0.1, 0.7, None]
    assert get_reranker()("?", TEXTS) == [0.1, 0.7, None]
    assert [set(asked) & {"texts", "documents"} for asked in endpoint.requests] == [
        {"documents"},
        {"texts"},
        {"texts"},
    ]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(Line(status=500), id="an error of the server"),
        pytest.param(Line(raw="niet nu"), id="no json"),
        pytest.param(Line(raw="[" * 50_000), id="json without end"),
        pytest.param(Line(raw='{"results": [1, 2]}'), id="results that are none"),
        pytest.param(results((3, 0.5)), id="a document that there is not"),
        pytest.param(results((0, 0.5), (0, 0.4)), id="a document twice"),
        pytest.param(results((0, None)), id="no score"),
        pytest.param(results((0, float("nan"))), id="a score that is no number"),
        pytest.param(Line(raw="x" * 2_000_000), id="a reply without end"),
    ],
)
def test_what_makes_no_sense_is_our_own_error(endpoint, line):
    endpoint.play([line])

    with pytest.raises(RerankFailed):
        get_reranker()("?", TEXTS)


@pytest.mark.parametrize(
    ("line", "is_there"),
    [
        pytest.param(results((0, 0.5), delay=30.0), True, id="slow"),
        pytest.param(Line(parts=(b" ",) * 600, pause=0.05), True, id="sending little by little"),
        pytest.param(Line(), False, id="not there"),
    ],
)
def test_a_server_is_not_waited_for_that_is(settings, endpoint, line, is_there):
    url = endpoint.url if is_there else "http://127.0.0.1:9/rerank"
    settings.RERANK = settings.RERANK | {"url": url, "seconds": 0.2}
    endpoint.play([line])
    started = monotonic()

    with pytest.raises(RerankFailed):
        get_reranker()("?", TEXTS)

    assert monotonic() - started < 15


def test_a_server_that_fails_again_and_again_is_left_alone(endpoint):
    endpoint.play(lambda request: Line(status=500))
    for _ in range(8):
        with pytest.raises(RerankFailed):
            get_reranker()("?", TEXTS)

    assert len(endpoint.requests) < 8


PASSAGES = st.lists(
    st.tuples(st.floats(0.01, 1.0), st.none() | st.floats(-10.0, 10.0)), max_size=12
).map(lambda rows: sorted(rows, key=lambda row: -row[0]))


@given(PASSAGES)
def test_nothing_is_lost_and_no_base_leaves_its_bounds(rows):
    before = [passage(str(at), base, chunk_id=at) for at, (base, _) in enumerate(rows)]
    after = reordered(before, [score for _, score in rows])

    assert sorted(p.chunk_id for p in after) == [p.chunk_id for p in before]
    assert sorted(p.base for p in after) == sorted(p.base for p in before)
    judged = [p.relevance for p in after if p.relevance is not None]
    assert judged == sorted(judged, reverse=True)
    unjudged = [p.chunk_id for p in after if p.relevance is None]
    assert unjudged == sorted(unjudged)
    assert [p.base for p in after] == sorted((p.base for p in after), reverse=True)


def ask(rerank, *, steering=ON, **kit):
    found = [
        passage(text, base, chunk_id=at, source=source("Bezoek", document_id=at))
        for at, (text, base) in enumerate(zip(TEXTS, (1.0, 0.8, 0.6), strict=True), start=1)
    ]
    values = {"read": lambda turn, snapshot: meant(query=turn.question)} | kit
    kit = tools(finds=found, steering=steering, rerank=rerank, **values)
    ctx, trace = run(Turn("Waar is de ingang?"), kit)
    return ctx, {record.stage: record for record in trace}


def test_the_order_of_a_turn_follows_the_reranker():
    ctx, trace = ask(lambda question, texts: [0.1, 0.2, 0.9])

    assert ctx.passages[0].text == TEXTS[2]
    assert ctx.passages[0].relevance == 0.9
    assert trace["reranking"].detail["rerank"] == {"judged": 3, "moved": 2}
    assert trace["context_building"].detail["assemble"]["ranking"][0]["relevance"] == 0.9


def test_it_reads_the_question_and_what_a_passage_stands_under():
    asked = []
    ask(lambda question, texts: asked.append((question, texts)) or [None] * len(texts))

    assert asked == [("Waar is de ingang?", [f"Bezoek\n{text}" for text in TEXTS])]
    assert read_as(passage("x", source=source("A"), section="B")) == "A\n## B\nx"


def test_a_failure_keeps_the_order_of_the_search_and_is_told_to_staff():
    def fail(question, texts):
        raise RerankFailed("te traag")

    ctx, trace = ask(fail)
    without, _ = ask(None, steering=Steering(tuning=RetrievalTuning(reranker=False)))

    assert [p.text for p in ctx.passages] == [p.text for p in without.passages]
    assert "te traag" in trace["reranking"].failure
    assert not ctx.degraded
