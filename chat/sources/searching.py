"""Search the pages for a question, and rank passages by page, conversation and subject."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from operator import itemgetter

from chat.question.content_words import asked_before, asked_words, stop_words_of, without_marks
from chat.question.rewrite import Enrichment, enrich
from chat.sources.question_terms import AskedTerms, is_of_hospital, likely
from chat.tools import Tools
from chat.turn import Context
from retrieval import ranking
from retrieval.intents import Intent
from retrieval.passage import Passage
from retrieval.query import Query, SearchResult
from retrieval.ranking import Hints, Naming
from retrieval.scope import scope_of
from taxonomy.facts.needs import intents, is_general, topics
from taxonomy.vocabulary import Kind
from zol.text import words

#: Weights of asked words and of added ones.
ASKED, ADDED = 0.9, 0.5
#: Rank whose base score is the maximum for passages of later searches.
RUNNER_UP = 5
#: Topic of questions about news.
NEWS = "news"
#: Probability from which a need overrules the intent, and passages compared with the question.
SURE, READ = 0.8, 25


def found_for(ctx: Context, tools: Tools) -> tuple[Query, SearchResult]:
    """Search for a question; return the query with its results."""
    query = question_query(ctx, tools)
    query = replace(query, words=weighted_words(ctx, tools, query.text))
    return query, tools.corpus.search(query)


def as_rewritten(ctx: Context, tools: Tools) -> Context:
    """Return the turn with a model's rewritten question: self-contained, in the pages' language."""
    meant = ctx.understanding
    classified = meant.classification
    # The parts of a model's question are read by code.
    rewritten = classified.rewritten if classified else meant.query
    if not meant.by_model or not rewritten:
        return ctx
    own = tools.snapshot.profile.default_language
    plain = replace(meant, language=own, detected=own, is_followup=False)
    return ctx.learn(question=rewritten, understanding=plain)


def enriched_question(ctx: Context, tools: Tools) -> Enrichment:
    """Return the question in the pages' language, with the hospital's names appended."""
    meant = ctx.understanding
    # Words of the rewrite's template are left out: every page of a kind contains them.
    asked = asked_words(ctx, tools.snapshot)
    text = " ".join(dict.fromkeys((*asked, *meant.terms))) or meant.query or ctx.question
    return enrich(
        text, meant.matches, tools.snapshot.vocabulary, tools.snapshot.terminology.words_for
    )


def question_query(ctx: Context, tools: Tools) -> Query:
    """Return the query of a question, with the hospital's names."""
    enriched = ctx.found.enrichment or enriched_question(ctx, tools)
    return query_for(ctx, tools, enriched.query)


def query_for(ctx: Context, tools: Tools, text: str) -> Query:
    """Return the query of a text, within the page categories of the request."""
    return Query(
        text=text,
        language=tools.snapshot.profile.default_language,
        asked=without_marks(ctx.question),
        asked_in=ctx.understanding.language,
        before=asked_before(ctx),
        categories=frozenset(ctx.turn.categories),
        stop_words=stop_words_of(tools.snapshot),
        tuning=tools.steering.tuning,
        dense_weight=None if tools.is_on("dense") else 0.0,
        keyword_weight=None if tools.is_on("keyword") else 0.0,
    )


def weighted_words(ctx: Context, tools: Tools, text: str) -> Mapping[str, float]:
    """Return the folded words to search for, each with a weight.

    Words of the question weigh most, names of its entities by their length, added words least.
    """
    snapshot, stem = tools.snapshot, tools.corpus.stem
    languages = {snapshot.profile.default_language, ctx.understanding.language}
    stop = stop_words_of(snapshot)
    weights = {word: ADDED for word in words(text) if word not in stop}
    weights |= dict.fromkeys(asked_words(ctx, snapshot), ASKED)
    for match in ctx.understanding.matches:
        aliases = (each.text for each in match.thing.aliases if each.language in languages)
        names = {word for name in (match.thing.name, *aliases) for word in words(name)} - stop
        share = 1 / sqrt(max(1, len({stem(word) for word in names})))
        weights |= {word: max(weights.get(word, 0.0), share) for word in names}
    return weights


def dampened(passage: Passage, passages: tuple[Passage, ...], entered_by: str) -> Passage:
    """Return a passage of a later search, its base score at most that of the fifth passage."""
    bases = sorted((p.base or 0.0 for p in passages), reverse=True)
    ceiling = bases[min(RUNNER_UP, len(bases)) - 1] if bases else 1.0
    return passage.changed(base=min(passage.base or 0.0, ceiling), entered_by=entered_by)


def ranked(passages: Sequence[Passage], ctx: Context, tools: Tools) -> tuple[Passage, ...]:
    """Rank passages of a later search with the boosts and the affinity of the first."""
    tuning, lifted = tools.steering.tuning, tuple(passages)
    if tools.is_on("boosts"):
        lifted = tuple(ranking.boost(passages, hints_for(ctx, tools), tuning))
    return steered(lifted, ctx, tools) if tools.is_on("value_framework") else lifted


def steered(passages: Sequence[Passage], ctx: Context, tools: Tools) -> tuple[Passage, ...]:
    """Rank passages by the affinity of their subject with the question."""
    asked, row = AskedTerms(ctx, tools), ctx.found.steering_row
    naming = {passage.chunk_id: _naming(passage, asked) for passage in passages[:READ]}
    lifts = bool(row) and is_of_hospital(tools.reading.needs(ctx))
    return ranking.rebalance(passages, row, tools.steering, naming, lifts=lifts)


def _naming(passage: Passage, asked: AskedTerms) -> Naming:
    heading, language = f"{passage.source.title} {passage.section}", passage.source.language
    in_heading = 1.0 if asked.is_about(heading, language) else asked.naming(heading, language)
    return Naming(asked.naming(f"{heading} {passage.text}", language), in_heading)


def row_asked(ctx: Context, tools: Tools) -> str:
    """Return the row of the affinity matrix for a question; empty if need and intent disagree and
    neither is certain.

    A need that the whole hospital answers overrules the intent: parking before an operation is no
    medical question.
    """
    meant, steering, needs = ctx.understanding, tools.steering, tools.reading.needs(ctx)
    of_intent = steering.row_for(meant.intent, meant.topic)
    is_practical = is_of_hospital(needs)
    chances = defaultdict[str, float](float)
    for need, chance in likely(needs).items():
        if is_general(need) or not is_practical:
            row = steering.row_for(Intent(intents()[need]), topics().get(need, ""))
            chances[row] += chance
    row, chance = max(chances.items(), key=itemgetter(1), default=(of_intent, 1.0))
    if is_practical or chance >= SURE or row == of_intent:
        return row
    return of_intent if meant.by_model else ""


def hints_for(ctx: Context, tools: Tools) -> Hints:
    """Return the features of a question that pages are compared with."""
    meant, steering = ctx.understanding, tools.steering
    last = ctx.turn.history[-1].citations if meant.is_followup and ctx.turn.history else ()
    return Hints(
        intent=meant.intent,
        terms=frozenset(asked_words(ctx, tools.snapshot)),
        campuses=frozenset(thing.key for thing in meant.matched(Kind.CAMPUS)),
        scope=tools.snapshot.derived(scope_of).named(ctx.question, meant.written_in),
        page_categories=steering.preferred_categories.get(meant.intent, frozenset()),
        entity_kinds=steering.entity_kinds.get(meant.intent, frozenset()),
        cited_urls=frozenset(last),
        language=meant.language,
        wants_recent=meant.topic == NEWS,
        today=tools.today,
    )
