"""Marks on a PDF page: struck-out text, watermarks, form fields, rotation, right-to-left text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from math import atan2, degrees
from operator import attrgetter, itemgetter
from statistics import median
from typing import Any, TypeAlias
from unicodedata import bidirectional

from pdfminer.pdftypes import resolve1
from pdfminer.psparser import PSLiteral
from pdfminer.utils import decode_text
from pdfplumber.page import Page

from retrieval.reading.pdf.lines import Line
from retrieval.reading.visible import Why, note
from zol.text import squash

Char: TypeAlias = dict[str, Any]
#: Most degrees by which upright letters are rotated.
ASKEW = 2
#: A strike-out rule: largest thickness in points and as a share of the letter size, height range
#: within a letter, and least share of the rule that is over letters.
THICKEST, THICK, HEIGHTS, COVERED = 2.0, 0.15, (0.3, 0.75), 0.7
#: A watermark: least size relative to the text, and most letters.
HUGE, LONGEST = 2.5, 60
#: Flags of hidden annotations, of password fields and of push buttons.
UNSEEN, PASSWORD, PRESSED = 0b100010, 1 << 13, 1 << 16
#: Gap between a field's name and value in letter sizes, and largest letters of a field without a
#: name.
GAP, LARGEST = 0.3, 12.0
CHECKED = "\u2612"
#: Directions of letters from right to left.
RIGHT_TO_LEFT = {"R", "AL"}


def upright(page: Page) -> Page:
    """Return a page rotated so that most of its letters are upright."""
    turns = Counter(round(_angle(char) / 90) % 4 for char in page.chars)
    turn = max(turns, key=lambda each: turns[each], default=0)
    if not turn:
        return page
    page.page_obj.rotate = (page.page_obj.rotate + 90 * turn) % 360
    page.page_obj.attrs["Rotate"] = page.page_obj.rotate
    return Page(page.pdf, page.page_obj, page.page_number, page.initial_doctop)


def _angle(char: Char) -> float:
    across, up, *_ = char["matrix"]
    return degrees(atan2(up, across))


def is_right_to_left(text: str) -> bool:
    """Return whether most letters of a text are of a right-to-left script."""
    letters = [bidirectional(sign) in RIGHT_TO_LEFT for sign in text if sign.isalpha()]
    return 2 * sum(letters) > len(letters)


def visible_letters(page: Page) -> tuple[list[Char], str]:
    """Return the letters of a page's text, without struck-out ones, and the watermark's text."""
    straight = [char for char in page.chars if abs(_angle(char)) <= ASKEW]
    over = _watermark(straight)
    struck = _struck(page, straight)
    across = [char for char in page.chars if abs(_angle(char)) > ASKEW or id(char) in over]
    crossing = squash("".join(char["text"] for char in across))
    note(crossing, Why.WATERMARK)
    note("".join(char["text"] for char in straight if id(char) in struck), Why.STRUCK)
    return [char for char in straight if id(char) not in over | struck], crossing


def _watermark(chars: Sequence[Char]) -> set[int]:
    """Return the ids of the letters of a watermark: few, huge, and over the text."""
    least = HUGE * median([char["size"] for char in chars] or [0])
    large = [char for char in chars if char["size"] >= least and char["text"].strip()]
    if len(large) > LONGEST:
        return set()
    small = [char for char in chars if char["size"] < least] if large else []
    over = {round(one["bottom"]) for one in large if any(_is_over(one, each) for each in small)}
    return {id(char) for char in large if round(char["bottom"]) in over}


def _is_over(large: Char, small: Char) -> bool:
    x, y = (small["x0"] + small["x1"]) / 2, (small["top"] + small["bottom"]) / 2
    return bool(large["x0"] < x < large["x1"] and large["top"] < y < large["bottom"])


def _struck(page: Page, chars: Sequence[Char]) -> set[int]:
    """Return the ids of letters with a thin rule through them, and remove these rules from the
    page, so that they are not taken for lines of a table."""
    by_top = sorted(chars, key=itemgetter("top"))
    tops = [char["top"] for char in by_top]
    highest = max((char["height"] for char in chars), default=0)
    struck: set[int] = set()
    for kind in {"line", "rect", "curve"} & page.objects.keys():
        kept = []
        for rule in page.objects[kind]:
            y = (rule["top"] + rule["bottom"]) / 2
            near = by_top[bisect_left(tops, y - highest) : bisect_right(tops, y)]
            found = [char for char in near if _crosses(rule, y, char)]
            if sum(char["width"] for char in found) < COVERED * max(rule["width"], 0.1):
                kept.append(rule)
            else:
                struck.update(map(id, found))
        page.objects[kind] = kept
    return struck


def _crosses(rule: Char, y: float, char: Char) -> bool:
    # A price may also be struck out diagonally.
    most = char["height"] if rule["object_type"] == "line" else max(THICKEST, THICK * char["size"])
    if rule["height"] > most or rule["width"] < rule["height"]:
        return False
    high, low = HEIGHTS
    is_amid = high <= (y - char["top"]) / max(char["height"], 0.1) <= low
    return bool(is_amid and rule["x0"] <= (char["x0"] + char["x1"]) / 2 <= rule["x1"])


def form_fields(page: Page, words: Sequence[Line]) -> Iterator[Line]:
    """Yield the values of a page's form fields, each on the line of the field's name."""
    for mark in page.annots:
        data = mark["data"]
        is_seen = not _flags(data.get("F")) & UNSEEN and _text(data.get("Subtype")) == "Widget"
        lines = [*filter(None, map(squash, _value(data).splitlines()))] if is_seen else []
        top, step = mark["top"], (mark["bottom"] - mark["top"]) / max(1, len(lines))
        for at, text in enumerate(lines):
            place = {"top": top + at * step, "bottom": top + (at + 1) * step}
            yield _placed(text, mark | place, words, page.page_number)


def _placed(text: str, mark: Char, words: Sequence[Line], page: int) -> Line:
    """Return a value as a line at the height of the nearest word, preferably of one before it."""
    middle = (mark["top"] + mark["bottom"]) / 2
    beside = [word for word in words if word.top - 1 <= middle <= word.bottom + 1]
    before = [word for word in beside if word.x1 <= mark["x0"] + 1]
    near = (
        max(before, key=attrgetter("x1"))
        if before
        else min(beside, key=lambda word: abs(word.x0 - mark["x1"]), default=None)
    )
    if near is None:
        size = min(mark["bottom"] - mark["top"], LARGEST)
        return Line(text, mark["x0"], mark["top"], mark["x1"], mark["top"] + size, size, page)
    x0 = near.x1 + GAP * near.size if before else mark["x0"]
    return Line(text, x0, near.top, max(mark["x1"], x0), near.bottom, near.size, page)


def _value(data: Char) -> str:
    """Return the value that a field shows: its text, the chosen option, or a mark if it is
    ticked."""
    kind, flags = _text(_inherited(data, "FT")), _flags(_inherited(data, "Ff"))
    if kind == "Btn":
        is_on = _text(data.get("AS")) not in {"Off", ""}
        return CHECKED if is_on and not flags & PRESSED else ""
    if kind not in {"Tx", "Ch"} or flags & PASSWORD:
        return ""
    value, options = _inherited(data, "V"), _inherited(data, "Opt")
    pairs = [resolve1(each) for each in options] if isinstance(options, list) else []
    shown = [[*map(_text, pair)] for pair in pairs if isinstance(pair, list) and len(pair) == 2]
    names: dict[str, str] = dict(shown)
    values = map(_text, value if isinstance(value, list) else [value])
    return ", ".join(names.get(each, each) for each in values)


def _inherited(data: Char, name: str) -> Any:
    """Return an entry of a field or of its parents."""
    for _ in range(8):
        if name in data:
            return resolve1(data[name])
        parent = resolve1(data.get("Parent"))
        if not isinstance(parent, dict):
            break
        data = parent
    return None


def _flags(value: Any) -> int:
    return value if isinstance(value := resolve1(value), int) else 0


def _text(value: Any) -> str:
    """Return a name or string of a PDF as text."""
    value = resolve1(value)
    value = value.name if isinstance(value, PSLiteral) else value
    return decode_text(value) if isinstance(value, bytes) else str(value or "")
