"""Find the reply to a request by purpose, question and conversation, and carry its lines over."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from lab.recorded.requests import Request, contains, plain
from lab.recorded.turns import ExamTurn, RecordedCall

#: Share of a line's words that must stand in another one, in order, for it to be the same line.
SAME = 0.8
#: Words of a question from which one or two may be covered.
COVERED_FROM = 6
#: Above this share of lost lines the figures of a run do not count.
MOST_LOST = 0.10


@dataclass
class Account:
    """What was found of the replies, and of their lines."""

    counts: Counter[str] = field(default_factory=Counter)
    #: Each lost line once, as "turn: text".
    lost: set[str] = field(default_factory=set)

    @property
    def share_lost(self) -> float:
        lines = self.counts["lines carried over"] + self.counts["lines lost"]
        asked = self.counts["replies found"] + self.counts["replies not found"]
        return max(
            self.counts["lines lost"] / lines if lines else 0.0,
            self.counts["replies not found"] / asked if asked else 0.0,
        )

    def lines(self) -> Iterable[str]:
        names = ("replies found", "replies not found", "lines carried over", "lines lost")
        yield "; ".join(f"{name} {self.counts[name]}" for name in names)
        if self.share_lost > MOST_LOST:
            yield (
                f"{self.share_lost:.0%} lost: more than {MOST_LOST:.0%}, so the figures of this "
                "run do not count. Play the lost turns again."
            )


class Library:
    """The recorded replies of an exam's turns."""

    def __init__(self, turns: Iterable[ExamTurn], calls: Iterable[RecordedCall]) -> None:
        self.turns = tuple(turns)
        self.account = Account()
        self._said = {turn: plain(turn.question) for turn in self.turns}
        self._before = {turn: tuple(map(plain, turn.conversation)) for turn in self.turns}
        self._calls: dict[tuple[str, str, tuple[str, ...]], list[RecordedCall]] = defaultdict(list)
        for call in calls:
            key = (call.purpose, plain(call.question), tuple(map(plain, call.conversation)))
            self._calls[key].append(call)

    def turn_of(self, request: Request) -> ExamTurn | None:
        """Return the turn that a request is about, by the words of its question.

        A question may stand in a later turn's conversation: the last one said counts, then the
        one with most of its conversation said before, then the longest.
        """
        words = f" {request.words} "

        def found(turn: ExamTurn) -> tuple[int, int, int]:
            said = self._said[turn]
            end = words.rfind(f" {said} ") + len(said)
            before = sum(contains(words, each) for each in self._before[turn])
            return end, before, len(said)

        known = [
            turn
            for turn in self.turns
            if contains(request.words, self._said[turn])
            and all(contains(request.words, each) for each in self._before[turn][-1:])
        ]
        return max(known, key=found, default=None) or self._nearly(request)

    def _nearly(self, request: Request) -> ExamTurn | None:
        """Return the turn whose question was asked but for a word or two: what is personal in it
        is covered before a model is asked."""
        asked = plain(request.first.strip().rpartition("\n")[2]).split()
        long = [turn for turn in self.turns if len(turn.question.split()) >= COVERED_FROM]
        alike = {turn: likeness(self._said[turn].split(), asked) for turn in long}
        best = max(alike, key=lambda turn: alike[turn], default=None)
        return best if best and alike[best] >= SAME else None

    def call(self, purpose: str, turn: ExamTurn) -> RecordedCall | None:
        found = self._calls.get((purpose, self._said[turn], self._before[turn]))
        return found[0] if found else None

    def reply(self, request: Request, turn: ExamTurn | None) -> str | None:
        """Return the recorded reply to a request, with its lines as they are numbered there."""
        call = self.call(request.purpose, turn) if turn else None
        if turn is None or call is None:
            if request.purpose in {"classify", "answer"}:
                self.account.counts["replies not found"] += 1
            return None
        self.account.counts["replies found"] += 1
        if not call.lines:
            return call.reply
        try:
            value = json.loads(call.reply)
        except ValueError:
            return call.reply
        return json.dumps(self._carried(value, call, request, turn), ensure_ascii=False)

    def _carried(
        self, value: dict[str, Any], call: RecordedCall, request: Request, turn: ExamTurn
    ) -> dict[str, Any]:
        """Return an answer with the ids of this prompt; a statement without any line goes."""
        statements = []
        for statement in value.get("statements", ()):
            ids = []
            for old in spelled_out(statement["lines"]):
                new = same_line(call.lines.get(old, ""), request.lines)
                self.account.counts["lines carried over" if new else "lines lost"] += 1
                if new is None:
                    self.account.lost.add(f"{turn.id}: {call.lines.get(old, old)}")
                else:
                    ids.append(new)
            if ids or not statement["lines"]:
                statements.append({**statement, "lines": list(dict.fromkeys(ids))})
        return {**value, "statements": statements}


def spelled_out(ids: Iterable[str]) -> Iterator[str]:
    """Yield ids, and those of a range ("2.4-2.7") one by one."""
    for each in ids:
        first, _, last = str(each).replace("–", "-").partition("-")
        source, _, begin = first.strip().partition(".")
        end = last.strip().rpartition(".")[2]
        if begin.isdigit() and end.isdigit():
            yield from (f"{source}.{at}" for at in range(int(begin), int(end) + 1))
        else:
            yield str(each)


def same_line(text: str, lines: Mapping[str, str]) -> str | None:
    """Return the id of the line with this text; else of the one that holds most of it."""
    wanted = plain(text)
    said = {each: plain(line) for each, line in lines.items()}
    exact = [each for each, line in said.items() if line == wanted]
    whole = exact or [each for each, line in said.items() if contains(line, wanted)]
    if whole or not wanted:
        return whole[0] if whole and wanted else None
    alike = {each: likeness(wanted.split(), line.split()) for each, line in said.items()}
    best = max(alike, key=lambda each: alike[each], default="")
    return best if best and alike[best] > SAME else None


def likeness(one: Sequence[str], two: Sequence[str]) -> float:
    """Return the share of the shorter line's words that stand in the other, in order.

    A line may be cut otherwise than it was; one of fewer than three words says nothing.
    """
    shorter = min(len(one), len(two))
    if shorter < 3:
        return 0.0
    blocks = SequenceMatcher(None, one, two, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / shorter
