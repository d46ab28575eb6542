"""What becomes of right and wrong statements: without a verdict, and with a perfect one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from chat.checking.by_line import Judgement, judged
from chat.checking.verdicts import Verdict, holds
from lab.statements.evidence import Written, known, statements
from lab.statements.spoil import HARMFUL, Spoiled, by_code, by_meaning

RIGHT = Verdict(1, "supported", condition_dropped=False)
WRONG = Verdict(1, "not_stated", condition_dropped=False)


def judge(said: Written | Spoiled) -> Judgement:
    of = said.of if isinstance(said, Spoiled) else said
    return judged(said.claim, of.evidence, said.asked, known(of.hospital))


def is_shown_without(judgement: Judgement, said: Written) -> bool:
    """Whether it is shown in its own words when no verdict comes: explained, or unconfirmed where
    the asker does not read its lines and nothing could go wrong."""
    if judgement.fault or not judgement.needs_verdict:
        return not judgement.fault
    lines = said.evidence.lines(judgement.claim.lines)
    is_read = any(line.language == said.language for line in lines)
    return not (is_read or judgement.is_risky or judgement.is_derived)


def outcome(said: Spoiled) -> tuple[bool, bool, Judgement]:
    """Return whether a wrong statement is shown without a verdict, and with a perfect one."""
    judgement = judge(said)
    is_moved = "line" in said.kind
    lines = set(judgement.claim.lines)
    if is_moved and (judgement.is_explained or lines & set(said.of.claim.lines)):
        return False, False, judgement  # It was right, and found its line.
    return is_shown_without(judgement, said.of), holds(WRONG, judgement), judgement


def table() -> Iterator[str]:
    right = [(said, judge(said)) for said in statements()]
    kept = sum(holds(RIGHT, judgement) for _, judgement in right)
    fault = sum(bool(judgement.fault) for _, judgement in right)
    at_once = sum(not (j.fault or j.needs_verdict) for _, j in right)
    shown = sum(is_shown_without(judgement, said) for said, judgement in right)
    count = len(right)
    yield f"right: {count}; at once {at_once / count:.1%}; struck by code {fault / count:.1%}"
    changed, quoted = 1 - kept / count, 1 - shown / count
    yield f"  changed with a perfect verdict {changed:.1%}, without any {quoted:.1%}"
    for title, spoiled in (("code", by_code()), ("meaning", by_meaning())):
        yield from _rows(title, spoiled)


def _rows(title: str, spoiled: Iterable[Spoiled]) -> Iterator[str]:
    every: Counter[str] = Counter()
    off: Counter[str] = Counter()
    perfect: Counter[str] = Counter()
    for said in spoiled:
        is_off, is_perfect, _ = outcome(said)
        every[said.kind] += 1
        off[said.kind] += is_off
        perfect[said.kind] += is_perfect
    yield f"{title}: {every.total()} wrong; shown without a verdict {off.total()} " \
          f"({off.total() / every.total():.1%}), with a perfect one {perfect.total()}"  # fmt: skip
    for kind in every:
        mark = " !" if kind in HARMFUL and off[kind] else ""
        yield f"  {kind:22} {every[kind]:4} {off[kind]:4} {perfect[kind]:4}{mark}"
