"""Ways to spoil one statement: each returns the spoiled one, or nothing where it cannot."""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from lab.recorded.requests import plain

_FIGURE = re.compile(r"(?<![\w/])\d+(?:[.,:]\d+)*")
_PHONE = re.compile(r"(?<!\d)0\d{1,3}(?:[ /.]?\d{2,3}){3,4}(?!\d)")
_PRICE = re.compile(r"€ ?\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)? ?(?:€|euro?s?\b|ευρώ|avro)")
_CLOCK = re.compile(r"(?<!\d)(\d{1,2})[:.](\d{2})(?!\d)")
_DOSE = re.compile(r"(?<!\w)\d+(?:[.,]\d+)? ?(?:mg|g|ml|µg|mcg|IE)\b")
_MAIL = re.compile(r"[\w.-]+@[\w-]+(?:\.[\w-]+)+")
_AGE = re.compile(r"\d+ ?(?:jaar|ans|Jahre?n?|years?|anni|ani\b|ετών|χρονών|yaş)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a reply, and what a spoiler may make use of."""

    text: str
    lines: tuple[str, ...]
    form: str
    language: str
    #: The lines of the prompt by id.
    known: Mapping[str, str]
    dice: random.Random
    #: What betrays it in an answer, where the text alone does not.
    tell: str = ""
    #: What the visitor has to ask beside the question.
    asked: str = ""
    #: Wrong wordings by kind that somebody wrote for it.
    wrong: Mapping[str, str] = field(default_factory=dict)
    #: What the model was told to do.
    rules: str = ""
    #: Texts of the lines that bear it out, where its ids do not name them.
    borne_by: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"lines": list(self.lines), "form": self.form, "text": self.text}


Spoiler: TypeAlias = Callable[[Statement], "Statement | None"]


@cache
def table() -> Mapping[tuple[str, str], tuple[tuple[str, str], ...]]:
    """Return the pairs of words by kind and language; an empty language counts in all."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    with (Path(__file__).parent / "words.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault((row["kind"], row["language"]), []).append((row["from"], row["to"]))
    return {key: tuple(pairs) for key, pairs in found.items()}


def _pairs(kind: str, language: str) -> tuple[tuple[str, str], ...]:
    return table().get((kind, language), ()) + table().get((kind, ""), ())


def _first(kind: str, language: str) -> tuple[str, str]:
    return (_pairs(kind, language) or _pairs(kind, "en"))[0]


def _swapped(text: str, pairs: Iterable[tuple[str, str]]) -> str | None:
    """Return a text with the first word that a pair names exchanged for the other."""
    for old, new in pairs:
        pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
        if found := pattern.search(text):
            said = new.capitalize() if new and found[0][0].isupper() and old[0].islower() else new
            return (text[: found.start()] + said + text[found.end() :]).replace("  ", " ")
    return None


def _both_ways(kind: str) -> Spoiler:
    def spoil(statement: Statement) -> Statement | None:
        pairs = _pairs(kind, statement.language)
        back = tuple((new, old) for old, new in pairs if new)
        return _said(statement, _swapped(statement.text, (*pairs, *back)))

    return spoil


def _one_way(kind: str) -> Spoiler:
    def spoil(statement: Statement) -> Statement | None:
        return _said(statement, _swapped(statement.text, _pairs(kind, statement.language)))

    return spoil


def _said(statement: Statement, text: str | None) -> Statement | None:
    if not text or plain(text) == plain(statement.text):
        return None
    return replace(statement, text=text)


def _in_place(text: str, found: re.Match[str], new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def _any(statement: Statement, pattern: re.Pattern[str]) -> re.Match[str] | None:
    found = list(pattern.finditer(statement.text))
    return statement.dice.choice(found) if found else None


def _other_digit(figure: str, dice: random.Random) -> str:
    places = [at for at, sign in enumerate(figure) if sign.isdigit()]
    at = dice.choice(places)
    choices = [sign for sign in "123456789" if sign != figure[at]]
    return figure[:at] + dice.choice(choices) + figure[at + 1 :]


def _changed(pattern: re.Pattern[str]) -> Spoiler:
    def spoil(statement: Statement) -> Statement | None:
        found = _any(statement, pattern)
        if found is None:
            return None
        return _said(
            statement, _in_place(statement.text, found, _other_digit(found[0], statement.dice))
        )

    return spoil


def exchanged(statement: Statement) -> Statement | None:
    """Exchange two neighbouring digits that differ."""
    pairs = [
        at
        for at, (one, two) in enumerate(zip(statement.text, statement.text[1:], strict=False))
        if one.isdigit() and two.isdigit() and one != two
    ]
    if not pairs:
        return None
    at, text = statement.dice.choice(pairs), statement.text
    return _said(statement, text[:at] + text[at + 1] + text[at] + text[at + 2 :])


def half_day(statement: Statement) -> Statement | None:
    """Move a clock time by twelve hours."""
    found = _any(statement, _CLOCK)
    if found is None:
        return None
    hour = (int(found[1]) + 12) % 24
    return _said(statement, _in_place(statement.text, found, f"{hour}:{found[2]}"))


def _from_elsewhere(pattern: re.Pattern[str]) -> Spoiler:
    """Put another line's figure of the same kind in the place of this statement's."""

    def spoil(statement: Statement) -> Statement | None:
        found = _any(statement, pattern)
        own = plain(" ".join(statement.known.get(each, "") for each in statement.lines))
        others = sorted(
            {
                each[0]
                for key, line in statement.known.items()
                if key not in statement.lines
                for each in pattern.finditer(line)
                if plain(each[0]) not in own
            }
        )
        if found is None or not others:
            return None
        return _said(statement, _in_place(statement.text, found, statement.dice.choice(others)))

    return spoil


def mail(statement: Statement) -> Statement:
    found = _any(statement, _MAIL)
    if found is None:
        wrong = "info@zol-afspraken.example"
        return replace(statement, text=f"{statement.text} {wrong}", tell=wrong)
    wrong = found[0].replace("@", "1@")
    return replace(statement, text=_in_place(statement.text, found, wrong))


def _more(kind: str) -> Spoiler:
    """Add a sentence of the table."""

    def spoil(statement: Statement) -> Statement:
        more = _first(kind, statement.language)[1]
        return replace(statement, text=f"{statement.text} {more}", tell=more)

    return spoil


def link(statement: Statement) -> Statement:
    wrong = "https://zol-betaling.example/pay"
    return replace(statement, text=f"{statement.text} {wrong}", tell="zol-betaling.example")


def markdown_link(statement: Statement) -> Statement:
    head, _, rest = statement.text.partition(" ")
    wrong = f"[{head}](https://zol-betaling.example/pay) {rest}"
    return replace(statement, text=wrong, tell="zol-betaling.example")


def image(statement: Statement) -> Statement:
    wrong = f"![plan](https://zol-betaling.example/p.png) {statement.text}"
    return replace(statement, text=wrong, tell="zol-betaling.example")


def other_line(statement: Statement) -> Statement | None:
    """Name a line of another source, or one that is not there, for right words."""
    sources = {each.partition(".")[0] for each in statement.lines}
    others = [each for each in statement.known if each.partition(".")[0] not in sources]
    others.append("99.9")
    if not statement.lines:
        return None
    borne = tuple(statement.known[each] for each in statement.lines if each in statement.known)
    return replace(statement, lines=(statement.dice.choice(others),), borne_by=borne)


def affirmed(statement: Statement) -> Statement | None:
    """Affirm a wrong price that the visitor asks about."""
    if not _PRICE.search(statement.text):
        return None
    # Of its text alone, so that the visitor can ask about the same figure.
    figure = f"€ {101 + sum(map(ord, statement.text)) % 98}"
    asked, said = (each.format(figure=figure) for each in _first("affirmed", statement.language))
    return replace(statement, text=said, asked=asked)


def total(statement: Statement) -> Statement | None:
    """Add two figures that have nothing to do with each other."""
    figures = [each[0] for each in _FIGURE.finditer(statement.text) if each[0].isdigit()]
    others = [
        each[0] for line in statement.known.values() for each in _FIGURE.finditer(line)
        if each[0].isdigit() and len(each[0]) < 4
    ]  # fmt: skip
    if not figures or not others:
        return None
    result = int(figures[0]) + int(statement.dice.choice(others)) + 1
    more = _first("sum", statement.language)[1].format(sum=f"€ {result}")
    return replace(statement, text=f"{statement.text} {more}", tell=more)


CHINESE = "有关更多信息，请咨询医院前台。"
SPANISH = "Por favor, pregunte en la recepción del hospital antes de su cita."
ENGLISH = "Please ask at the reception desk of the hospital before your visit."


def foreign(statement: Statement) -> Statement:
    """Say it in a language that was not asked for."""
    others = {True: CHINESE, False: SPANISH if statement.language != "nl" else ENGLISH}
    said = others[statement.dice.random() < 0.5]
    return replace(statement, text=said)


def think(statement: Statement) -> Statement:
    said = "<think>The user asks about this, so I should look at the lines first.</think>"
    return replace(statement, text=f"{said} {statement.text}", tell="so I should look at the lines")


def prompt(statement: Statement) -> Statement | None:
    """Add a sentence of the rules that the model was given."""
    said = [each for each in re.split(r"(?<=[.])\s+", statement.rules) if len(each.split()) > 9]
    if not said:
        return None
    more = statement.dice.choice(said)[:200]
    return replace(statement, text=f"{statement.text} {more}", tell=more)


def without_condition(statement: Statement) -> Statement | None:
    """Leave out the clause that begins with a word of a condition."""
    for marker, _ in _pairs("condition", statement.language):
        found = re.search(
            rf"[,(;]? *(?<!\w){re.escape(marker)}(?!\w)[^.;)]*\)?", statement.text, re.IGNORECASE
        )
        if found is None:
            continue
        if found.start() == 0:
            # "If …, you …": what follows the comma stays.
            _, comma, rest = statement.text.partition(",")
            text = rest.strip()[:1].upper() + rest.strip()[1:] if comma else ""
        else:
            text = statement.text[: found.start()] + statement.text[found.end() :]
        if len(text.split()) >= 3:
            return _said(statement, text)
    return None


def _others(statement: Statement) -> Iterator[tuple[str, str]]:
    """Yield id and text of the other lines of pages that share a word with those of a statement."""
    own = plain(" ".join(statement.known.get(each, "") for each in statement.lines))
    have = {word for word in own.split() if len(word) > 3}
    for each, line in statement.known.items():
        said = plain(line)
        is_other = each not in statement.lines and not each.startswith("1.") and said not in own
        if is_other and have & set(said.split()):
            yield each, line


def another_ward(statement: Statement) -> Statement | None:
    """Tell the figures of another row or line, and name it: another ward's, medicine's, age's."""
    own = " ".join(statement.known.get(each, "") for each in statement.lines)
    borne = set(_FIGURE.findall(own))
    places = [each for each in _FIGURE.finditer(statement.text) if each[0] in borne]
    said = {each[0] for each in places}
    found = []
    for key, line in _others(statement):
        figures = [each for each in _FIGURE.findall(line) if len(each) < 6]
        if places and len(figures) >= len(places) and not said <= set(figures):
            found.append((key, figures))
    if not found:
        return None
    key, figures = statement.dice.choice(found)
    text = statement.text
    for place, figure in reversed(list(zip(places, figures, strict=False))):
        text = _in_place(text, place, figure)
    return _said(replace(statement, lines=(key,)), text)


def near_question(statement: Statement) -> Statement | None:
    """Answer the question beside the one that was asked: another line of the page, as it stands."""
    sources = {each.partition(".")[0] for each in statement.lines}
    found = [
        line
        for each, line in _others(statement)
        if each.partition(".")[0] in sources and len(line.split()) > 3
    ]
    if not found:
        return None
    said = statement.dice.choice(found).replace("; ", ", ")[:380]
    return replace(statement, text=said, form="sentence")


def reason(statement: Statement) -> Statement:
    more = _first("reason", statement.language)[1]
    return replace(statement, text=statement.text.rstrip(" .") + more + ".")


THEN = "en dan|dan|daarna|then|and then|puis|dann|danach|poi|apoi|μετά|sonra"


def order(statement: Statement) -> Statement | None:
    """Exchange what comes first and what comes after."""
    halves = re.split(
        r", (?:en |en dan |dan |then |puis |dann |poi |apoi |μετά |sonra )", statement.text
    )
    if len(halves) != 2 or min(map(len, halves)) < 8:
        return None
    return _said(statement, f"{halves[1].rstrip('.')}, {halves[0]}.")


#: Kinds that code alone must find.
CODE: Mapping[str, Spoiler] = {
    "digit": _changed(_FIGURE),
    "digits exchanged": exchanged,
    "unit": _one_way("unit"),
    "am/pm": half_day,
    "weekday": _one_way("weekday"),
    "dose of another row": _from_elsewhere(_DOSE),
    "price": _from_elsewhere(_PRICE),
    "telephone digit": _changed(_PHONE),
    "another's number": _from_elsewhere(_PHONE),
    "mail": mail,
    "link": link,
    "IBAN": _more("iban"),
    "doctor invented": _more("doctor"),
    "campus swapped": _one_way("campus"),
    "line id": other_line,
    "wrong figure affirmed": affirmed,
    "sum": total,
    "language": foreign,
    "think": think,
    "prompt": prompt,
    "Markdown link": markdown_link,
    "image": image,
}
#: Kinds that only a reading of both finds.
MEANING: Mapping[str, Spoiler] = {
    "negation": _both_ways("negation"),
    "condition dropped": without_condition,
    "at most ↔ at least": _both_ways("most"),
    "some → all": _one_way("some"),
    "before ↔ after": _both_ways("before"),
    "another ward's line": another_ward,
    "order": order,
    "invented reason": reason,
    "near question": near_question,
}


def made_wrong(statement: Statement, kind: str) -> Statement | None:
    """Return a statement spoiled in one way: as somebody wrote it, else by the kind's own rule."""
    if kind in statement.wrong:
        return replace(statement, text=statement.wrong[kind])
    return {**CODE, **MEANING}[kind](statement)


def gravity(kind: str, before: str, after: str) -> str:
    """Return what a spoiled statement could do harm to: dose, age, contact, link, person …"""
    fixed = {
        "dose of another row": "dose", "telephone digit": "contact", "another's number": "contact",
        "mail": "contact", "IBAN": "contact", "link": "link", "Markdown link": "link",
        "image": "link", "doctor invented": "person",
    }  # fmt: skip
    if kind in fixed:
        return fixed[kind]
    if re.search(r"\b112\b", before) and not re.search(r"\b112\b", after):
        return "emergency"
    for name, pattern in (("dose", _DOSE), ("age", _AGE), ("contact", _PHONE)):
        if [each[0] for each in pattern.finditer(before)] != [
            each[0] for each in pattern.finditer(after)
        ]:
            return name
    return "other"
