"""Query the published taxonomy (people, places, hours, facts), and decide whether its facts join
the passages."""

from __future__ import annotations

from collections.abc import Iterable

from chat.sources.lookup import department_listed, findings_of, listed, lookup_in
from chat.tools import Step, Tools, in_order
from chat.turn import Context, StageResult
from retrieval.context import decide
from retrieval.intents import Intent
from taxonomy.lookup.finding import PEOPLE, FindingKind
from taxonomy.lookup.question import reach
from taxonomy.vocabulary import Kind, Thing, Vocabulary

#: Maximum relations per entity, and in all.
MOST_OF_ONE, MOST = 12, 40
#: Kinds with their own telephone number, address or hours.
REACHED = (Kind.DEPARTMENT, Kind.DOCTOR, Kind.CAMPUS, Kind.SPECIALTY)


def graph_enrichment(ctx: Context, tools: Tools) -> StageResult:
    """Add published facts, and findings of the taxonomy if the strategy uses it."""
    return in_order(
        ctx,
        tools,
        Step(_look_up, switch="taxonomy"),
        Step(_add_roster, switch="roster"),
        Step(_state_fact, switch="taxonomy"),
        Step(_gate_facts, switch="taxonomy"),
    )


def _look_up(ctx: Context, tools: Tools) -> StageResult:
    """Query the taxonomy for people, places, hours and relations of the named entities."""
    if not ctx.strategy.asks_taxonomy:
        return StageResult(ctx)
    meant, asked = ctx.understanding, lookup_in(ctx, tools)
    findings = findings_of(asked, meant.intent, tools.today)
    routed = asked.routed
    named = [match.thing for match in meant.matches]
    return StageResult(
        ctx.learn(findings=findings, routed=routed),
        {
            "findings": [finding.as_data() for finding in findings],
            "routed": [department.name for department in routed],
            "ontology": _ontology((*named, *routed), tools.snapshot.vocabulary),
        },
    )


def _ontology(things: Iterable[Thing], vocabulary: Vocabulary) -> list[str]:
    """Return the relations of entities, as "Palpitaties (condition) TREATED_BY Cardiologie"."""
    found: dict[str, None] = {}
    for thing in dict.fromkeys(things):
        relations = (*vocabulary.relations_from(thing), *vocabulary.relations_to(thing))
        for each in relations[:MOST_OF_ONE]:
            subject, other = (f"{e.name} ({e.kind})" for e in (each.subject, each.object))
            found[f"{subject} {each.predicate} {other}"] = None
    return list(found)[:MOST]


def _state_fact(ctx: Context, tools: Tools) -> StageResult:
    """Find the published fact that answers, unless the taxonomy answers with people."""
    if ctx.published.roster or any(found.kind in PEOPLE for found in ctx.published.findings):
        return StageResult(ctx, {"off": "the taxonomy answers with people"})
    fact = tools.reading.fact(ctx)
    if fact is None:
        return StageResult(ctx)
    entry = fact.entry
    subject = f"{entry.subject.kind}:{entry.subject.key}" if entry.subject else ""
    detail = {"need": entry.need, "subject": subject, "chance": round(fact.chance, 3)}
    return StageResult(ctx.learn(fact=fact), detail)


def _add_roster(ctx: Context, tools: Tools) -> StageResult:
    """Add every doctor of a department if all are asked for."""
    if not ctx.strategy.asks_taxonomy:
        return StageResult(ctx)
    asked, intent = lookup_in(ctx, tools), ctx.understanding.intent
    department = department_listed(asked, intent)
    if department is None:
        return StageResult(ctx)
    findings = (*listed(asked, intent, tools.today), *reach(asked, department))
    doctors = tuple(each.about for each in findings if each.kind is FindingKind.MEMBER)
    return StageResult(
        ctx.learn(roster=doctors, findings=findings),
        {"department": department.name, "doctors": len(doctors)},
    )


def _gate_facts(ctx: Context, tools: Tools) -> StageResult:
    """Decide whether taxonomy facts join the passages."""
    meant = ctx.understanding
    # A question for an appointment names the department that performs the examination.
    books = meant.intent is Intent.BOOKING_OR_CONTACT and bool(ctx.published.routed)
    decision = decide(
        meant.intent,
        names_a_place=books or bool(meant.matched(*REACHED)),
        dense_hits=ctx.found.dense_hits,
        best_similarity=ctx.found.best_similarity,
        low_similarity=tools.corpus.low_similarity,
    )
    return StageResult(
        ctx.learn(with_facts=decision.injects),
        {
            "injects": decision.injects,
            "rule": decision.rule,
            "suppressed": 0 if decision.injects else len(ctx.published.findings),
        },
    )
