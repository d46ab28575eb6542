"""Exclude lines that apply to someone else: a dose of another medicine, a table for another age."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chat.checking.base import Line, LineKind
from chat.checking.knowledge import Knowledge, knowledge_of
from chat.question.content_words import without_marks
from chat.turn import Context
from taxonomy.language.lexicon import Lexicon, lexicon_of
from taxonomy.snapshot import Snapshot
from zol.text import words

#: Concepts of the people that a heading or question is about.
CHILDREN, ADULTS = frozenset({"child", "toddler", "teenager"}), frozenset({"adult"})
MINORS = CHILDREN | {"baby", "son", "daughter", "grandchild"}
#: Concepts of ages, and the age of majority.
AGE, YEARS, GROWN = "age", frozenset({"age", "year"}), 18
#: Concept kind of medicines and other treatments.
TREATMENT = "treatment"


def is_about_child(text: str, language: str, snapshot: Snapshot) -> bool | None:
    """Return whether a question is about a minor; None if it asks for an age limit."""
    lexicon = snapshot.derived(lexicon_of)
    found, ages = _concepts(text, language, lexicon), _ages(text, language, lexicon)
    if any(age >= GROWN for age in ages):
        return False
    if not MINORS.isdisjoint(found) or ages:
        return not MINORS.isdisjoint(found) or AGE in found
    return None if AGE in found else False


def age_asked(text: str, language: str, snapshot: Snapshot) -> str:
    """Return the age in a question as a condition of facts: "7", or a child's or an adult's."""
    ages = _ages(text, language, snapshot.derived(lexicon_of))
    if len(ages) == 1:
        return str(ages[0])
    return {True: "0-15", False: "16-", None: ""}[is_about_child(text, language, snapshot)]


def _ages(text: str, language: str, lexicon: Lexicon) -> list[int]:
    found = words(text)
    return [
        int(found[use.start - 1])
        for use in lexicon.read(found, language)
        if use.start
        and found[use.start - 1].isdecimal()
        and not YEARS.isdisjoint(concept.name for concept in use.concepts)
    ]


def _concepts(text: str, language: str, lexicon: Lexicon) -> frozenset[str]:
    return frozenset(concept.name for concept in lexicon.concepts_in(words(text), language))


@dataclass(frozen=True, slots=True)
class Guards:
    """Filter of the lines that may answer a question."""

    knowledge: Knowledge
    lexicon: Lexicon
    #: Whether the question is about a minor; None if unclear.
    about_child: bool | None
    #: Words of the question that may name a medicine.
    medicines: frozenset[str]

    @classmethod
    def of(cls, ctx: Context, snapshot: Snapshot) -> Guards:
        meant, lexicon = ctx.understanding, snapshot.derived(lexicon_of)
        language, questions = meant.written_in, [without_marks(ctx.question)]
        if meant.is_followup:
            questions += [each.question for each in ctx.turn.history]
        ages = [is_about_child(text, language, snapshot) for text in questions]
        about = True if True in ages else next((age for age in ages if age is None), False)
        named = {word for text in questions for word in _medicines(text, language, lexicon)}
        return cls(snapshot.derived(knowledge_of), lexicon, about, frozenset(named))

    def allow(self, line: Line, title: str) -> bool:
        """Return whether a line is for the age asked about and gives no other medicine's dose."""
        return self._is_of_age(line, title) and not self._is_other_dose(line, title)

    def _is_of_age(self, line: Line, title: str) -> bool:
        has_figure = any(map(str.isdecimal, line.text))
        if self.about_child is None or (line.kind is LineKind.SENTENCE and not has_figure):
            return True
        first = line.cells[0][1] if line.cells else ""
        for level in (first, line.above, title):
            found = _concepts(level, line.language, self.lexicon)
            child, adult = not CHILDREN.isdisjoint(found), not ADULTS.isdisjoint(found)
            if child != adult:
                return child if self.about_child else adult
        return True

    def _is_other_dose(self, line: Line, title: str) -> bool:
        figures = self.knowledge.figures.read(line.text, line.language)
        if not any(figure.unit in self.knowledge.dose_units for figure in figures):
            return False
        found = frozenset(words(f"{title} {line.full_text}"))
        return not any(name in word for name in self.medicines for word in found)


def _medicines(text: str, language: str, lexicon: Lexicon) -> Iterable[str]:
    """Yield treatments, and words unknown to the lexicon."""
    found = words(text)
    known: set[int] = set()
    for use in lexicon.read(found, language):
        known.update(range(use.start, use.end))
        if any(concept.kind == TREATMENT for concept in use.concepts):
            yield from found[use.start : use.end]
    yield from (word for at, word in enumerate(found) if at not in known and len(word) > 3)
