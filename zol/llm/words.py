"""What a model says, piece by piece, without what is meant for nobody.

Thoughts before the answer, NUL and halves of characters go; where JSON was asked for, so does all
that stands round its first object: fences, prose, a second object.
"""

from __future__ import annotations

import re

THOUGHT, THOUGHT_ENDS = "<think>", "</think>"
#: Letters of one answer: nobody reads more, and one without end fills the memory.
LONGEST = 100_000
_HALF = re.compile("[\ud800-\udfff]")


class TooLong(ValueError):
    """The model says more than anybody reads."""


class Words:
    """Takes the pieces of one answer, and gives back what may be read of them."""

    def __init__(self, *, is_json: bool) -> None:
        self._object = JsonObject() if is_json else None
        #: The first half of a character whose other half comes with the next piece.
        self._half = ""
        #: What came while it is not known whether the answer begins with a thought.
        self._before: str | None = ""
        self._letters = 0

    @property
    def is_complete(self) -> bool:
        """Whether nothing more can come: the object has ended."""
        return self._object is not None and self._object.has_ended

    def feed(self, piece: str) -> str:
        """Take a piece; return what can be read by now.

        :raises TooLong: when it does not end.
        """
        self._letters += len(piece)
        if self._letters > LONGEST:
            raise TooLong
        said = self._after_thought(self._joined(piece).replace("\0", ""))
        return self._object.feed(said) if self._object else said

    def rest(self) -> str:
        """Return what was held back at the end."""
        before, self._before = self._before or "", None
        return "" if self._object or before.startswith(THOUGHT) else before

    def _joined(self, piece: str) -> str:
        """Return a piece with whole characters only."""
        text, self._half = self._half + piece, ""
        if not _HALF.search(text):
            return text
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")

    def _after_thought(self, text: str) -> str:
        if self._before is None:
            return text
        said = self._before = (self._before + text).lstrip()
        if said.startswith(THOUGHT):
            _, end, said = said.partition(THOUGHT_ENDS)
            said = said.lstrip()
            if not end or not said:
                return ""
        elif THOUGHT.startswith(said):
            return ""
        self._before = None
        return said


class JsonObject:
    """Lets the first JSON object of a text through, letter by letter."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_text = False
        #: An escape that has begun, and the first half of a character written as one.
        self._escape = self._half = ""
        self.has_ended = False

    def feed(self, text: str) -> str:
        return "".join(map(self._let_through, text))

    def _let_through(self, letter: str) -> str:
        if self.has_ended or (not self._depth and letter != "{"):
            return ""
        if self._escape:
            return self._escaped(letter)
        if self._in_text and letter == "\\":
            self._escape = letter
            return ""
        self._half = ""
        if letter == '"':
            self._in_text = not self._in_text
        elif not self._in_text and letter in "{}":
            self._depth += 1 if letter == "{" else -1
            self.has_ended = not self._depth
        return letter

    def _escaped(self, letter: str) -> str:
        """Return an escape once it is whole; none of NUL, and none of half a character."""
        self._escape += letter
        if len(self._escape) < (6 if self._escape[1] == "u" else 2):
            return ""
        whole, before = self._escape, self._half
        self._escape = self._half = ""
        sort = whole[2:4].lower()
        if whole[1] == "u" and "d8" <= sort <= "db":
            self._half = whole
            return ""
        if whole[1] == "u" and "dc" <= sort <= "df":
            return before and before + whole
        return "" if whole == r"\u0000" else whole
