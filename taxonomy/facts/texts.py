"""What is said in words, in each language: a list, a text, yes or no with what it hangs on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from taxonomy.facts.parts import (
    BETWEEN,
    Part,
    Parts,
    Texts,
    Value,
    WrongPart,
    chosen,
    refuse_unknown,
    texts_of,
    written_texts,
)
from taxonomy.facts.phrases import words_for
from zol.text import marked as _
from zol.text import squash

ANSWERS = ("yes", "no")
MISSING = _("“%(part)s”: write it in at least one language.")


@dataclass(frozen=True, slots=True)
class Text(Value):
    """One or a few sentences."""

    KIND = "text"
    PARTS = (Part("text", _("text"), in_languages=True, is_main=True, is_long=True),)

    texts: Texts

    @classmethod
    def parse(cls, parts: Parts) -> Self:
        refuse_unknown(cls, parts)
        texts = texts_of(parts, cls.PARTS[0])
        if not texts:
            raise WrongPart("", MISSING, "")
        return cls(texts)

    def parts(self) -> dict[str, str]:
        return dict(written_texts(self.texts, self.PARTS[0]))


@dataclass(frozen=True, slots=True)
class Items(Value):
    """Things, or steps in their order."""

    KIND = "items"
    PARTS = (
        Part(
            "items", _("list"), _("One on a line, with the most important first."),
            in_languages=True, is_main=True, is_long=True,
        ),
        Part("ordered", _("in this order"), _("yes for steps, one after the other."),
             choices=ANSWERS),
    )  # fmt: skip

    items: tuple[tuple[str, tuple[str, ...]], ...]
    is_ordered: bool = False

    @classmethod
    def parse(cls, parts: Parts) -> Self:
        refuse_unknown(cls, parts)
        lists = tuple(
            (code, tuple(filter(None, map(squash, text.split(BETWEEN)))))
            for code, text in texts_of(parts, cls.PARTS[0])
        )
        if not any(each for _code, each in lists):
            raise WrongPart("", MISSING, "")
        lengths = {len(each) for _code, each in lists}
        if len(lengths) > 1:
            sentence = _("The lists have not as many items in every language: %(part)s.")
            counts = ", ".join(f"{code} {len(each)}" for code, each in lists)
            raise WrongPart(lists[-1][0], sentence, counts)
        return cls(lists, chosen(parts, cls.PARTS[1], words_for) == "yes")

    def parts(self) -> dict[str, str]:
        said = {code: f"{BETWEEN} ".join(each) for code, each in self.items}
        return said | ({"ordered": "yes"} if self.is_ordered else {})


@dataclass(frozen=True, slots=True)
class YesNo(Value):
    """Yes or no, and what it hangs on."""

    KIND = "yesno"
    PARTS = (
        Part("answer", _("yes or no"), choices=ANSWERS, is_main=True),
        Part("why", _("explanation"), in_languages=True, is_long=True),
    )

    is_yes: bool
    why: Texts = ()

    @classmethod
    def parse(cls, parts: Parts) -> Self:
        refuse_unknown(cls, parts)
        answer = chosen(parts, cls.PARTS[0], words_for)
        if not answer:
            raise WrongPart("answer", _("“%(part)s” is missing."), "answer")
        return cls(answer == "yes", texts_of(parts, cls.PARTS[1]))

    def parts(self) -> dict[str, str]:
        answer = {"answer": "yes" if self.is_yes else "no"}
        return answer | dict(written_texts(self.why, self.PARTS[1]))
