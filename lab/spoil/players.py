"""Who plays the model: the recorded replies, spoiled or not; a copyist; a weak player."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeAlias

from lab.recorded.endpoint import Reply, emptiest
from lab.recorded.library import Library
from lab.recorded.requests import Request, contains, plain
from lab.recorded.turns import ExamTurn
from lab.spoil.forms import CLASSIFY, FORMS
from lab.spoil.spoilers import CODE, MEANING, Statement, gravity, made_wrong
from retrieval.analysis import stems
from retrieval.intents import Intent

Value: TypeAlias = dict[str, Any]
#: That an intent may be mistaken for: those that are answered.
INTENTS = [str(each) for each in Intent if not each.is_blocked and each != Intent.UNKNOWN]


class Judge(StrEnum):
    """How verdict calls are answered."""

    PERFECT = "perfect"
    WEAK = "weak"
    SILENT = "silent"


#: Of a weak judge: the share of wrong statements that pass, and of right ones refused.
WRONG_PASSED, RIGHT_REFUSED = 0.3, 0.1


#: Where a request for verdicts names a statement.
STATEMENT = re.compile(r"^Statement \d+: (.+)$", re.MULTILINE)


class Spoil(StrEnum):
    """What of the replies is spoiled."""

    NOTHING = "nothing"
    CODE = "code"
    MEANING = "meaning"
    FORM = "form"
    CLASSIFY = "classify"


@dataclass(frozen=True, slots=True)
class Served:
    """A statement as it was sent to the product."""

    statement: Statement
    #: How it was spoiled; empty when it is right.
    kind: str = ""
    gravity: str = ""
    #: Its words before it was spoiled.
    before: str = ""

    @property
    def is_wrong(self) -> bool:
        return bool(self.kind)


@dataclass
class Played:
    """What the endpoint did in one turn."""

    statements: tuple[Served, ...] = ()
    #: The form or classification that was spoiled.
    kind: str = ""
    status: str = "complete"
    calls: Counter[str] = field(default_factory=Counter)
    #: The numbered lines and titles of the prompt for an answer, and all its words.
    lines: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[int, str] = field(default_factory=dict)
    words: str = ""


def dice_of(*seed: object) -> random.Random:
    """Return dice that fall alike for the same words."""
    return random.Random("|".join(map(str, seed)))  # noqa: S311 (no secret)


@dataclass
class Replies:
    """The recorded replies, with what a run spoils of them."""

    library: Library
    spoil: Spoil = Spoil.NOTHING
    judge: Judge = Judge.PERFECT
    seed: int = 1
    #: Of the turns, how many get a spoiled classification.
    classify_share: float = 0.2
    #: Which pass over the turns it is; every pass spoils otherwise.
    at: int = 0
    turns: dict[str, Played] = field(default_factory=dict)

    def begin(self, at: int) -> None:
        """Begin another pass."""
        self.at = at
        self.turns = {}

    def __call__(self, request: Request) -> Reply:
        turn = self.library.turn_of(request)
        played = self.turns.setdefault(turn.id, Played()) if turn else Played()
        played.calls[request.purpose] += 1
        if request.purpose == "verdict":
            return self.verdicts(request)
        text = self.library.reply(request, turn)
        if turn is None or (text is None and request.purpose != "answer"):
            return Reply(json.dumps(emptiest(request.schema), ensure_ascii=False))
        if request.purpose == "classify" and text:
            return self.classification(text, request, turn, played)
        if request.purpose == "answer":
            return self.answer(text, request, turn, played)
        return Reply(text or "")

    def classification(self, text: str, request: Request, turn: ExamTurn, played: Played) -> Reply:
        dice = dice_of(self.seed, self.at, turn.id, "classify")
        if self.spoil is not Spoil.CLASSIFY or dice.random() >= self.classify_share:
            return Reply(text)
        played.kind = dice.choice(sorted(CLASSIFY))
        value = CLASSIFY[played.kind](json.loads(text), dice, INTENTS)
        return Reply(json.dumps(value, ensure_ascii=False))

    def answer(self, text: str | None, request: Request, turn: ExamTurn, played: Played) -> Reply:
        played.lines, played.titles = request.lines, request.titles
        played.words = request.words
        value = self.written(text, request, turn)
        played.status = value["status"]
        played.statements = tuple(self.spoiled(value, request, turn))
        value["statements"] = [each.statement.as_json() for each in played.statements]
        text = json.dumps(value, ensure_ascii=False)
        if self.spoil is Spoil.FORM:
            played.kind = sorted(FORMS)[(self.at + self.library.turns.index(turn)) % len(FORMS)]
            return FORMS[played.kind](text, dice_of(self.seed, self.at, turn.id))
        return Reply(text)

    def written(self, text: str | None, request: Request, turn: ExamTurn) -> Value:
        """Return the answer before it is spoiled."""
        value: Value = json.loads(text) if text else {}
        return {"status": "none", "statements": [], "missing": []} | value

    def spoiled(self, value: Value, request: Request, turn: ExamTurn) -> Iterator[Served]:
        """Yield the statements, one of them spoiled where the run spoils statements."""
        said = [
            Statement(
                each["text"], tuple(each["lines"]), each["form"], turn.language, request.lines,
                dice_of(self.seed, self.at, turn.id, place),
                wrong=each.get("wrong", {}), rules=request.rules,
            )
            for place, each in enumerate(value["statements"])
        ]  # fmt: skip
        chosen = self.choice(said, turn)
        for place, each in enumerate(said):
            yield chosen[1] if chosen and chosen[0] == place else Served(each)

    def choice(self, said: Sequence[Statement], turn: ExamTurn) -> tuple[int, Served] | None:
        """Return which statement is spoiled and how: the kinds take turns, as far as they can."""
        known = {Spoil.CODE: CODE, Spoil.MEANING: MEANING}.get(self.spoil, {})
        for kind in self.kinds(known, turn):
            # Courtesy has no line, and nothing in it can be wrong.
            places = [at for at, each in enumerate(said) if each.form != "show" and each.lines]
            dice_of(self.seed, self.at, turn.id, kind).shuffle(places)
            for place in places:
                before = said[place]
                if (after := made_wrong(before, kind)) is None:
                    continue
                if after.asked and after.asked not in self.asked(turn):
                    continue
                others = {plain(each.text) for each in said if each is not before}
                if plain(after.text) in others:
                    continue
                harms = gravity(kind, before.text, after.text)
                return place, Served(after, kind, harms, before.text)
        return None

    def kinds(self, known: Iterable[str], turn: ExamTurn) -> list[str]:
        """Return the kinds in the order in which they are tried in a turn."""
        kinds = list(known)
        dice_of(self.seed, self.at, turn.id, "kinds").shuffle(kinds)
        return kinds

    def asked(self, turn: ExamTurn) -> str:
        """Return what the visitor says in a turn: the question, now and then with a wrong figure.

        The endpoint still finds the reply, since the question's own words stand in it.
        """
        kinds = self.kinds(CODE, turn) if self.spoil is Spoil.CODE else [""]
        call = self.library.call("answer", turn)
        if kinds[0] != "wrong figure affirmed" or call is None:
            return turn.question
        for each in json.loads(call.reply).get("statements", ()):
            said = Statement(each["text"], (), "sentence", turn.language, {}, dice_of())
            if each["form"] != "show" and (wrong := CODE[kinds[0]](said)):
                return f"{turn.question} {wrong.asked}"
        return turn.question

    def verdicts(self, request: Request) -> Reply:
        """Return what the judge says of each statement in a request, in their order."""
        if self.judge is Judge.SILENT:
            return Reply("", is_silent=True)
        # What one turn says wrongly may be right in another: the last one counts.
        served = {
            plain(each.statement.text): each
            for played in list(self.turns.values())
            for each in played.statements
        }
        words = plain(request.last)
        # A statement of another form than ours was cut or joined: it is taken for right.
        held = [
            self.holds(served[said], words) if said in served else True
            for said in map(plain, STATEMENT.findall(request.last))
        ]
        return Reply(json.dumps(verdicts_of(held, request.schema)))

    def holds(self, served: Served, words: str) -> bool:
        is_right = not served.is_wrong
        if served.statement.borne_by:
            # Right words under another line's id: right where the product found their line.
            is_right = all(contains(words, plain(line)) for line in served.statement.borne_by)
        if self.judge is Judge.PERFECT:
            return is_right
        dice = dice_of(self.seed, served.statement.text, "weak")
        return dice.random() >= RIGHT_REFUSED if is_right else dice.random() < WRONG_PASSED


def verdicts_of(
    held: Sequence[bool],
    schema: Mapping[str, Any],
    whole: Mapping[str, Any] | None = None,
    at: int = 1,
) -> Any:
    """Return a reply of the schema with a verdict on each statement, in their order."""
    whole = whole or schema
    match schema:
        case {"$ref": str(name)}:
            return verdicts_of(held, whole["$defs"][name.rsplit("/", 1)[-1]], whole, at)
        case {"enum": [*names]} if "supported" in names:
            return "supported" if held and held[0] else "contradicted"
        case {"type": "array", "items": items}:
            return [verdicts_of([each], items, whole, at) for at, each in enumerate(held, 1)]
        case {"type": "integer"}:
            return at
        case {"type": "object", "properties": fields}:
            return {name: verdicts_of(held, each, whole, at) for name, each in fields.items()}
    return emptiest(schema, whole)


@lru_cache(maxsize=50_000)
def _stems(text: str, language: str) -> frozenset[str]:
    return frozenset(stems([word for word in plain(text).split() if len(word) > 2], language))


def nearest_lines(question: str, lines: Mapping[str, str], language: str, count: int) -> list[str]:
    """Return the ids of the lines with most stems of a question, the best first."""
    wanted = _stems(question, language)
    share = {each: len(wanted & _stems(line, language)) for each, line in lines.items()}
    best = sorted(share, key=lambda each: -share[each])
    return [each for each in best if share[each]][:count]


def copied(ids: Sequence[str], lines: Mapping[str, str]) -> Value:
    """Return an answer that says lines as they stand."""
    said = [{"lines": [each], "form": "sentence", "text": lines[each][:400]} for each in ids]
    return {"status": "complete" if said else "none", "statements": said, "missing": []}


class Copyist(Replies):
    """Copies the line with most stems of the question, and of each of its parts: no wit."""

    def written(self, text: str | None, request: Request, turn: ExamTurn) -> Value:
        # The classification's rewriting is what it may lean on, in the pages' language.
        call = self.library.call("classify", turn)
        value = json.loads(call.reply) if call else {}
        parts = [each["text"] for each in value.get("parts", ())]
        asked = [f"{turn.question} {value.get('rewritten', '')}", *parts]
        best = [each for said in asked for each in nearest_lines(said, request.lines, "nl", 1)]
        return copied(list(dict.fromkeys(best)), request.lines)


class WeakPlayer(Replies):
    """A careless model by a sheet of rules.

    It reads the first 40 and the last 10 lines; of every third reply in another language than the
    pages' the second half stays in theirs; every fifth id is off by one; JSON comes fenced.
    """

    READS_FIRST, READS_LAST, HALF_DUTCH, OFF_BY_ONE = 40, 10, 3, 5
    ids = 0

    def written(self, text: str | None, request: Request, turn: ExamTurn) -> Value:
        ids = list(request.lines)
        read = {*ids[: self.READS_FIRST], *ids[-self.READS_LAST :]}
        value = super().written(text, request, turn)
        kept = [each for each in value["statements"] if not set(each["lines"]) - read]
        if not kept:
            seen = {each: request.lines[each] for each in ids if each in read}
            value = copied(nearest_lines(turn.question, seen, "nl", 2), request.lines)
            kept = value["statements"]
        elif len(kept) < len(value["statements"]):
            value["status"] = "partial"
        if turn.language != "nl" and self.library.turns.index(turn) % self.HALF_DUTCH == 0:
            half = (len(kept) + 1) // 2
            kept = kept[:half] + [self._dutch(each, request.lines) for each in kept[half:]]
        value["statements"] = [
            {**each, "lines": [self._numbered(line, ids) for line in each["lines"]]}
            for each in kept
        ]
        return value

    def _dutch(self, statement: Value, lines: Mapping[str, str]) -> Value:
        said = " ".join(lines[each] for each in statement["lines"] if each in lines)
        return {**statement, "text": said[:400]}

    def _numbered(self, line: str, ids: Sequence[str]) -> str:
        self.ids += 1
        if self.ids % self.OFF_BY_ONE or line not in ids:
            return line
        return ids[(ids.index(line) + 1) % len(ids)]

    def answer(self, text: str | None, request: Request, turn: ExamTurn, played: Played) -> Reply:
        reply = super().answer(text, request, turn, played)
        return replace(reply, text=f"```json\n{reply.text}\n```")
