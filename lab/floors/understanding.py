"""The intent of a message, the curated answer of a question, the department of a complaint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from chat.behaviours import Behaviour
from chat.services import TurnResult, redacted, take_turn, without_greeklish
from chat.turn import Turn, details_of
from chat.wiring import read_by_code
from lab.floors.figures import Tally
from lab.floors.sets import INTENTS, WHOM_TO_SEE, WORDINGS, progress, rows_of
from taxonomy.publishing.live import live_snapshot
from taxonomy.resolvers import resolver_index
from taxonomy.vocabulary import Kind


def intents() -> Mapping[str, Any]:
    """Understand each message; its intent, or one that a fair judge accepts, is right."""
    snapshot, tally = live_snapshot(), Tally()
    for row in progress(rows_of(INTENTS), "intents"):
        turn = without_greeklish(Turn(redacted(row["text"]).text, "nl"), snapshot)
        found = str(read_by_code(turn, snapshot).intent)
        is_right = found in {row["intent"], *row["alternatives"]}
        tally.add("right", hit=is_right, where=row["id"])
        tally.add(f"right: {row['language']}", hit=is_right)
        tally.add(f"right: {row['intent']}", hit=is_right)
    return tally.report()


def curated() -> Mapping[str, Any]:
    """Ask each wording; it has the key of the curated answer that is right, or none is."""
    tally = Tally()
    for at, row in enumerate(progress(rows_of(WORDINGS), "curated"), start=1):
        told = curated_key(take_turn(Turn(row["question"], row["language"]), flags=FRESH))
        if row["answer"]:
            tally.add("found", hit=told == row["answer"], where=str(at))
            tally.add("another", hit=told not in {"", row["answer"]}, where=str(at), want=False)
        else:
            tally.add("needless", hit=bool(told), where=str(at), want=False)
    return tally.report()


#: Nothing is taken from the memory of answers.
FRESH = {"cache": False}


def curated_key(answered: TurnResult) -> str:
    """Return which curated answer a turn gave; empty for any other answer."""
    if not answered.context.reply.is_curated:
        return ""
    trace = [record.plain for record in answered.trace]
    return next((str(each["curated"]) for each in details_of("match_curated", trace)), "")


def departments() -> Mapping[str, Any]:
    """Ask each complaint; right is a department here of a specialty that a fair judge accepts."""
    snapshot, tally = live_snapshot(), Tally()
    specialists = snapshot.derived(resolver_index).specialists
    names = {t.name for t in snapshot.vocabulary.things if t.kind is Kind.DEPARTMENT}
    for at, row in enumerate(progress(rows_of(WHOM_TO_SEE), "departments"), start=1):
        wanted = {specialists[s].name for s in (row["specialty"], *row["also"]) if s in specialists}
        if not wanted:
            continue
        context = take_turn(Turn(row["text"], "nl"), flags=FRESH).context
        is_answer = context.behaviour is Behaviour.ANSWER
        told = list(told_in(context.answer, names)) if is_answer else []
        where = str(at)
        tally.add("right first", hit=bool(told) and told[0] in wanted, where=where)
        tally.add("right among", hit=not wanted.isdisjoint(told), where=where)
        tally.add("another alone", hit=bool(told) and wanted.isdisjoint(told))
        tally.add("none", hit=not told)
        tally.add("emergency", hit=context.behaviour is Behaviour.EMERGENCY)
    return tally.report()


def told_in(answer: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the names that an answer says, in its order, longer ones before what they hold."""
    places = sorted((answer.find(name), -len(name), name) for name in names if name in answer)
    end = 0
    for at, length, name in places:
        if at >= end:
            yield name
            end = at - length
