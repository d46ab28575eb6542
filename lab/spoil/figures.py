"""What a visitor was shown of what was served: right ones changed, wrong ones shown, and so on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lab.recorded.requests import contains, plain
from lab.recorded.turns import ExamTurn, Must
from lab.spoil.players import Played, Served
from lab.spoil.product import Seen

#: Share of the words of a line that stand in an answer that shows it.
PRINTED = 0.8
#: A kind whose words are a line's own.
NEAR = "near question"
#: Share of a must's words that stand in an answer that says it.
SAID = 0.7
_MARK = re.compile(r"\[(\d+)\]")
#: What no visitor may ever see of a reply's form.
_RAW = re.compile(r'"(?:statements|lines|form|text|status)"|```|<think|\x00|[a-z]{400}|\{"')


@dataclass(frozen=True, slots=True)
class Taken:
    """One turn of a run: what was asked, served and seen."""

    turn: ExamTurn
    played: Played
    seen: Seen


def is_shown(served: Served, taken: Taken) -> bool:
    """Whether a statement stands in the answer in its own words."""
    statement = served.statement
    if served.kind == "line id":
        return _is_miscited(served, taken)
    if statement.tell:
        return plain(statement.tell) in plain(taken.seen.text) or statement.tell in taken.seen.text
    if statement.form == "show":
        return all(
            held(statement.known.get(each, ""), taken.seen.text) >= PRINTED
            for each in statement.lines
        )
    answer, said = f" {plain(taken.seen.text)} ", f" {plain(statement.text)} "
    # Where it is a part of a line that is quoted whole, it is not said.
    whole = (f" {plain(line)} " for line in dict.fromkeys(statement.known.values()))
    quoted = sum(answer.count(line) for line in whole if said in line and served.is_wrong)
    if served.kind == NEAR:
        quoted = 0
    return answer.count(said) > quoted


def held(text: str, answer: str) -> float:
    """Return the share of a text's words that stand in an answer."""
    wanted, have = plain(text).split(), set(plain(answer).split())
    return sum(word in have for word in wanted) / len(wanted) if wanted else 1.0


def _is_miscited(served: Served, taken: Taken) -> bool:
    """Whether right words stand there with the mark of a page that does not say them.

    A page says them that has the line, or a line with all their figures.
    """
    statement = served.statement
    said = [re.escape(word) for word in re.findall(r"[^\W_]+", statement.text)]
    found = re.search(r"[\W_]+".join(said), taken.seen.text)
    if found is None or not served.statement.borne_by:
        return False
    mark = _MARK.search(taken.seen.text, found.end())
    cited = {each["n"]: each for each in taken.seen.answer.get("citations", ())}
    if mark is None or int(mark[1]) not in cited:
        return False
    figures = set(re.findall(r"\d+", statement.text))
    right = {
        plain(taken.played.titles.get(int(each.partition(".")[0]), ""))
        for each, line in statement.known.items()
        if line in served.statement.borne_by
        or (figures and figures <= set(re.findall(r"\d+", line)))
    }
    title = plain(cited[int(mark[1])]["title"])
    return not any(contains(each, title) or contains(title, each) for each in right)


def is_cut(served: Served, taken: Taken) -> bool:
    """Whether a statement begins in the answer and does not end there."""
    words = re.findall(r"[^\W_]+", served.statement.text)
    if served.is_wrong or len(words) < 6 or is_shown(served, taken):
        return False
    for end in range(len(words) - 1, len(words) // 2, -1):
        begun = r"[\W_]+".join(map(re.escape, words[:end]))
        if found := re.search(rf"{begun}(?P<rest>[\W_]*(?:\n|\[|$))?", taken.seen.text):
            # A quotation may begin alike and go on in other words, or be no longer.
            said = plain(" ".join(words[:end]))
            is_line = any(plain(line).endswith(said) for line in served.statement.known.values())
            return found["rest"] is not None and not is_line
    return False


def reaches(must: Must, taken: Taken) -> bool:
    """Whether something that must be said is shown: quoted, in a statement on it, or in words."""
    quote, answer = plain(must.quote), plain(taken.seen.text)
    if quote and contains(answer, quote):
        return True
    for served in taken.played.statements:
        lines = " ".join(served.statement.known.get(each, "") for each in served.statement.lines)
        if quote and held(must.quote, lines) >= PRINTED and is_shown(served, taken):
            return True
    return held(must.text or must.quote, taken.seen.text) >= SAID


def is_in_evidence(must: Must, played: Played) -> bool:
    return contains(played.words, plain(must.quote)) or any(
        held(must.quote, line) >= PRINTED for line in played.lines.values()
    )


@dataclass
class Tally:
    """The counts of one run."""

    name: str
    taken: list[Taken] = field(default_factory=list)

    def right(self) -> Iterator[tuple[Served, Taken]]:
        for taken in self.taken:
            for served in taken.played.statements:
                if not served.is_wrong:
                    yield served, taken

    def wrong(self) -> Iterator[tuple[Served, Taken]]:
        for taken in self.taken:
            for served in taken.played.statements:
                if served.is_wrong:
                    yield served, taken

    def changed(self) -> list[tuple[Served, Taken]]:
        return [pair for pair in self.right() if not is_shown(*pair)]

    def wrong_shown(self) -> list[tuple[Served, Taken]]:
        return [pair for pair in self.wrong() if is_shown(*pair)]

    def not_whole(self, limit: float) -> list[tuple[str, Taken]]:
        """Return the turns that did not end whole, in time, without anything raw or cut."""
        found = []
        for taken in self.taken:
            if not taken.seen.is_whole:
                found.append((taken.seen.error or "retracted or empty", taken))
            elif raw := _RAW.search(taken.seen.text):
                found.append((f"raw: {raw[0][:40]}", taken))
            elif taken.seen.seconds > limit:
                found.append((f"{taken.seen.seconds:.1f} s", taken))
            elif cut := [each for each in taken.played.statements if is_cut(each, taken)]:
                found.append((f"cut: {cut[0].statement.text[:60]}", taken))
        return found

    def musts(self) -> list[tuple[Must, Taken]]:
        return [(must, taken) for taken in self.taken for must in taken.turn.musts]

    def kinds(self) -> list[tuple[str, int, int]]:
        """Return each kind with how many were served and shown."""
        served = Counter(each.kind for each, _ in self.wrong())
        shown = Counter(each.kind for each, _ in self.wrong_shown())
        return [(kind, count, shown[kind]) for kind, count in sorted(served.items())]


def share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})" if whole else "0 of 0"


def misses(pairs: Iterable[tuple[Served, Taken]]) -> Iterator[str]:
    """Yield each statement with what was shown, for readers."""
    for served, taken in pairs:
        said = " | ".join(served.statement.known.get(each, each) for each in served.statement.lines)
        yield (
            f"{taken.turn.id} [{served.kind or 'right'}] {served.statement.text}\n"
            f"    lines: {said}\n    shown: {' / '.join(taken.seen.text.split(chr(10)))}"
        )
