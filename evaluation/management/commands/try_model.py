"""`manage.py try_model`: measure whether the configured model is fit to answer patients.

The model answers golden questions, then judges right and altered statements of their sources.
"""

from __future__ import annotations

import random
import re
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from chat.checking.base import Claim, Line, LineKind
from chat.checking.knowledge import Knowledge, knowledge_of
from chat.checking.verdicts import BATCH, VERDICT, Verdicts, in_order, messages
from chat.phrases import prompts_of
from chat.services import TurnResult
from evaluation.golden import stored_cases
from evaluation.interview import Interview
from taxonomy.publishing.live import live_snapshot
from zol import llm
from zol.commands import Measuring, chosen_hospital
from zol.errors import BadInput, LLMError
from zol.llm.base import structured_call
from zol.tenancy import serving
from zol.text import fold

TURNS, STATEMENTS = 60, 100
#: Share of turns that a fit model answers, and the least for any use.
MOST_TURNS, LEAST_TURNS = 0.95, 0.8
#: Limits from the weakest judge measured: wrong claims passed, right ones refused.
WRONG_PASSED, RIGHT_REFUSED = 0.3, 0.1
#: Fewest and most words of a line used as a claim.
SHORTEST, LONGEST = 6, 35
FIT, EXPLAINED, UNFIT = "fit", "fit for explained statements and quotations only", "unfit"
BY_MODEL, SUPPORTED = "answered by the model", "supported"
ANSWERED, STATED, FAILED = "golden turns", "statements of the answers", "failed calls"
RIGHT, WRONG = "verdicts on right statements", "verdicts on wrong statements"
#: Counts by measure and outcome.
Seen: TypeAlias = defaultdict[str, Counter[str]]


class Command(Measuring):
    help = "Test whether the configured model is fit, with golden questions and statements."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--hospital", default="", help="slug; needed when several are loaded")

    def measure(self, *, hospital: str, **_: Any) -> Mapping[str, Any]:
        with serving(chosen_hospital(hospital)):
            return tried()

    def lines(self, report: Mapping[str, Any]) -> Iterable[str]:
        return report_lines(report)


def fitness(seen: Mapping[str, Mapping[str, int]]) -> str:
    answered, refused = _share(seen, ANSWERED, BY_MODEL), 1 - _share(seen, RIGHT, SUPPORTED)
    judges = _share(seen, WRONG, SUPPORTED) <= WRONG_PASSED and refused <= RIGHT_REFUSED
    if answered < LEAST_TURNS:
        return UNFIT
    return FIT if judges and answered >= MOST_TURNS else EXPLAINED


def _share(seen: Mapping[str, Mapping[str, int]], name: str, outcome: str) -> float:
    counts = seen.get(name, {})
    return counts.get(outcome, 0) / max(1, sum(counts.values()))


def report_lines(seen: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for name in (ANSWERED, STATED, RIGHT, WRONG, FAILED):
        found = (f"{count} {what}" for what, count in seen.get(name, {}).items())
        yield f"{name.capitalize()}: {', '.join(found) or 'none'}"
    yield f"This model is {fitness(seen)}."


def tried() -> Seen:
    """Have the model answer golden questions, then judge right and wrong claims of its sources."""
    if not llm.is_configured():
        raise BadInput("No model is configured: set OPENAI_API_KEY or OPENAI_BASE_URL.")
    seen: Seen = defaultdict(Counter)
    snapshot, dice = live_snapshot(), random.Random(1)  # noqa: S311 (the same ones each time)
    interview = Interview(snapshot.profile.default_language, {"cache": False})
    cases, read = stored_cases(), dict[str, Line]()
    for case in dice.sample(cases, min(TURNS, len(cases))):
        answered, failure = interview.answered(case)
        if answered is None:
            seen[FAILED][failure.partition(":")[0]] += 1
        elif (
            answered.context.dossier.evidence
        ):  # Without evidence no model had to write: an immediate answer or a refusal.
            _note(answered, seen)
            read |= {line.text: line for line in answered.context.dossier.evidence.by_id.values()}
    known = snapshot.derived(knowledge_of)
    pairs = list(statements(list(read.values()), known, dice))[: 2 * STATEMENTS]
    for at in range(0, len(pairs), BATCH):
        _judge(pairs[at : at + BATCH], seen)
    return seen


def _note(answered: TurnResult, seen: Seen) -> None:
    seen[FAILED].update(call.failure for call in answered.calls if call.failure)
    is_written = answered.context.was_written and not answered.context.degraded
    seen[ANSWERED][BY_MODEL if is_written else "answered otherwise"] += 1
    for record in answered.trace:
        seen[STATED].update(each["became"] for each in record.detail.get("statements", ()))


def statements(
    lines: Sequence[Line], known: Knowledge, dice: random.Random
) -> Iterator[tuple[Claim, Line, bool]]:
    """Yield claims with their line and whether they are right.

    A right claim repeats its line. A wrong one has another figure, lacks a condition or a "not", or
    belongs to another line.
    """
    usable = [
        line
        for line in lines
        if line.kind is LineKind.SENTENCE and SHORTEST <= len(line.text.split()) <= LONGEST
    ]
    dice.shuffle(usable)
    for line, other in zip(usable[::2], usable[1::2], strict=False):
        yield Claim(line.text, (line.id,)), line, True
        wrong = dice.choice([*_spoiled(other, known, dice), line.text])
        yield Claim(wrong, (other.id,)), other, False


def _spoiled(line: Line, known: Knowledge, dice: random.Random) -> Iterator[str]:
    text, folded = line.text, fold(line.text).replace("’", "'")
    if digits := [found.start() for found in re.finditer(r"\d", text)]:
        at = dice.choice(digits)
        yield f"{text[:at]}{(int(text[at]) + dice.randint(1, 8)) % 10}{text[at + 1 :]}"
    spans = known.qualifiers.spans(folded, line.language) if len(folded) == len(text) else ()
    for target, found in spans:
        if target == "not":
            yield text[: found.start()] + text[found.end() :].lstrip()
        elif target == "if" and found.start() > len(text) // 3:
            yield text[: found.start()].rstrip(" ,") + "."


def _judge(batch: Sequence[tuple[Claim, Line, bool]], seen: Seen) -> None:
    rules = live_snapshot().derived(prompts_of).say(VERDICT, {})
    asked = messages(rules, [(claim, (line,)) for claim, line, _ in batch])
    ask = partial(structured_call, name=VERDICT, attempts=1, limits=llm.verify_limits(tokens=300))
    try:
        verdicts = in_order(ask(llm.get_llm("fast"), asked, Verdicts), len(batch))
    except LLMError as error:
        seen[FAILED][type(error).__name__] += 1
        verdicts = (None,) * len(batch)
    for (_, _, is_right), verdict in zip(batch, verdicts, strict=True):
        is_held = verdict and verdict.support == SUPPORTED and not verdict.condition_dropped
        became = SUPPORTED if is_held else "refused" if verdict else "none in time"
        seen[RIGHT if is_right else WRONG][became] += 1
