"""Whether a statement is about the medicine, the age, the examination and the department that a
question names: what holds for another one is no answer, however much it resembles one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from chat.checking.knowledge import CUES, DOSE_UNIT, MEASURE, knowledge_of
from chat.safety import advice, slots
from chat.safety.phrases import PhraseBook, PhraseMatch
from chat.safety.rows import whole_rows_of
from chat.sources.quotation.scores import Statement
from chat.turn import Context
from retrieval.statements import CELL, Form
from taxonomy.kinds import Kind
from taxonomy.lexicon import Use, lexicon_of
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing
from zol.text import fold, words

#: Kinds of things with rules of their own, such as how to prepare.
CARE = (Kind.EXAMINATION, Kind.TREATMENT)
#: Concepts of whom a heading is for, and of whom a question is about.
CHILDREN, ADULTS = frozenset({"child", "toddler", "teenager"}), frozenset({"adult"})
MINORS = CHILDREN | {"baby", "son", "daughter", "grandchild"}
#: Concepts that count an age, and the age from which somebody is no child.
AGE, YEARS, GROWN = "age", frozenset({"age", "year"}), 18
#: Kinds of concepts of the lexicon: somebody, and what has rules of its own.
PERSON, OF_CARE = "person", frozenset({"examination", "treatment"})
#: What the rows of measures call a gram.
GRAM = "gram"
#: Concepts of no medicine in particular.
ANY_MEDICINE = frozenset({"medication"})
REMEMBERED = 16_384


@dataclass(frozen=True, slots=True)
class NamedThings:
    """What a text names."""

    care: frozenset[Thing] = frozenset()
    conditions: frozenset[Thing] = frozenset()
    departments: frozenset[Thing] = frozenset()
    #: What the lexicon knows as an examination or treatment.
    concepts: frozenset[str] = frozenset()
    #: Medicines, by their concept or as they are written; of a question, all its words.
    medicines: frozenset[str] = frozenset()
    for_children: bool = False
    for_adults: bool = False
    #: Whether it gives an amount of a medicine.
    has_dose: bool = False


Names: TypeAlias = Callable[[str], NamedThings]


@dataclass(frozen=True, slots=True)
class Subjects:
    """What a question names, and what tells what a text names."""

    asked: NamedThings
    #: None where it is asked from which age something is so.
    about_child: bool | None
    named: Names

    def suit(self, statement: Statement) -> bool:
        """Whether a statement is about nothing else than what is asked about."""
        line, source = statement.line, statement.passage.source
        above = line.over
        own, over, title = (self.named(text) for text in (line.text, above, source.title))
        first = self.named(line.text.partition(CELL)[0]) if line.form is Form.ROW else NamedThings()
        return (
            self._is_of_care(own, first, over, title)
            and self._is_of_department(own, first)
            and self._is_of_age(statement, first, over, title)
        )

    def is_other_dose(self, statement: Statement) -> bool:
        """Whether a statement is a dose of a medicine that is not asked about, and is no part of
        the preparation for an examination or treatment that is."""
        own = self.named(statement.text)
        if not own.has_dose:
            return False
        over, title = self.named(statement.line.above), self.named(statement.passage.source.title)
        medicines = own.medicines | over.medicines | title.medicines
        if not medicines or self.asked.care & title.care:
            return False
        return not self._asks_for(medicines)

    def names_asked(self, text: str) -> bool:
        """Whether a text names an examination, treatment or department that is asked about."""
        found, asked = self.named(text), self.asked
        return bool(found.care & asked.care or found.departments & asked.departments)

    def is_of_another(self, title: str) -> bool:
        """Whether a page is about an examination or treatment that is not asked about."""
        found = self.named(title).care
        return bool(found) and found.isdisjoint(self.asked.care)

    def is_of_another_medicine(self, title: str) -> bool:
        found = self.named(title).medicines
        return bool(found) and not self._asks_for(found)

    def _asks_for(self, medicines: Iterable[str]) -> bool:
        """Whether one of some medicines is asked about: "paracetamoltabel" is about paracetamol."""
        return any(medicine in word for medicine in medicines for word in self.asked.medicines)

    def _is_of_care(
        self, own: NamedThings, first: NamedThings, over: NamedThings, title: NamedThings
    ) -> bool:
        asked = self.asked.care
        if not asked or asked & (own.care | over.care):
            return True
        if not title.care and all(thing.kind is Kind.EXAMINATION for thing in asked):
            # What holds before an operation does not hold before an examination.
            return not title.concepts or bool(title.concepts & self.asked.concepts)
        if asked & title.care:
            # A page about several says over each part which one it is about.
            return len(title.care) == 1 or not (first.care or over.care)
        return not (first.care or over.care or title.care)

    def _is_of_department(self, own: NamedThings, first: NamedThings) -> bool:
        asked = self.asked.departments
        return not asked or not first.departments or bool(asked & own.departments)

    def _is_of_age(self, statement: Statement, *levels: NamedThings) -> bool:
        """Whether a table, list or figure, or what is said of a medicine, is for who is asked
        about, by what stands nearest."""
        line, has_medicine = statement.line, any(each.medicines for each in levels)
        is_told = line.form is Form.SENTENCE and not any(map(str.isdigit, line.text))
        if is_told and not has_medicine:
            return True
        told = (each for each in levels if each.for_children != each.for_adults)
        nearest = next(told, None)
        if nearest is None or self.about_child is None:
            return True
        if nearest.for_adults:
            return not self.about_child
        # A condition that only children's pages are about is looked for there.
        return self.about_child or any(self.asked.conditions & each.conditions for each in levels)


def subjects_of(ctx: Context, snapshot: Snapshot) -> Subjects:
    """Return what a question is about; a follow-up also about what was asked before."""
    meant, named = ctx.understanding, snapshot.derived(names_of)
    asker = meant.detected or meant.language
    history = [each.question for each in ctx.turn.history]
    earlier = history if meant.is_followup else []
    here, called = named(ctx.question), snapshot.derived(_treatments)
    concepts = {
        c
        for use in snapshot.derived(lexicon_of).read(words(ctx.question), asker)
        for c in use.concepts
    }
    spoken = NamedThings(
        care=here.care | frozenset(meant.matched(*CARE)),
        conditions=here.conditions | frozenset(meant.matched(Kind.CONDITION)),
        departments=_departments(ctx, snapshot),
        concepts=frozenset(concept.name for concept in concepts),
        medicines=frozenset(
            each
            for text in (ctx.question, *earlier)
            for word in words(text)
            for each in {word, called.get(word, word)}
        ),
    )
    # "Mag hij 's morgens iets drinken?" is about who was spoken of before.
    names_person = any(concept.kind == PERSON for concept in concepts)
    told = (ctx.question,) if names_person else (ctx.question, *history)
    ages = [is_about_child(text, asker, snapshot) for text in told]
    is_child = True if True in ages else next((None for age in ages if age is None), False)
    return Subjects(spoken, is_child, named)


def _departments(ctx: Context, snapshot: Snapshot) -> frozenset[Thing]:
    """Return the departments that are named themselves, where it matters which one."""
    meant = ctx.understanding
    care = {(m.start, m.end) for m in meant.matches if m.thing.kind is not Kind.DEPARTMENT}
    return frozenset(
        match.thing
        for match in meant.matches
        if match.thing.kind is Kind.DEPARTMENT
        and match.start < match.end
        and (match.start, match.end) not in care
    )


def is_about_child(question: str, language: str, snapshot: Snapshot) -> bool | None:
    """Whether a question is about somebody under age, by whom it names or by how old they are; None
    where it is asked from or up to which age."""
    spoken = slots.read(question).words
    uses = snapshot.derived(lexicon_of).read(spoken, language)
    found = {concept.name for use in uses for concept in use.concepts}
    ages = _ages(spoken, uses)
    if any(age >= GROWN for age in ages):
        return False
    if not MINORS.isdisjoint(found) or ages:
        return not MINORS.isdisjoint(found) or AGE in found
    return None if AGE in found else False


def age_told(question: str, language: str, snapshot: Snapshot) -> int | None:
    """Return how old somebody is said to be, in years; of several ages none."""
    spoken = slots.read(question).words
    ages = _ages(spoken, snapshot.derived(lexicon_of).read(spoken, language))
    return ages[0] if len(ages) == 1 else None


def _ages(spoken: Sequence[str], uses: Iterable[Use]) -> list[int]:
    return [
        int(spoken[use.start - 1])
        for use in uses
        if use.start
        and slots.is_number(spoken[use.start - 1])
        and not YEARS.isdisjoint(concept.name for concept in use.concepts)
    ]


def names_of(snapshot: Snapshot) -> Names:
    """Return what tells what a text names; use it through `snapshot.derived(names_of)`."""
    care, conditions = _book(snapshot, *CARE), _book(snapshot, Kind.CONDITION)
    departments = snapshot.derived(knowledge_of).names
    children, adults = (_words_of(snapshot, names) for names in (CHILDREN, ADULTS))
    medicines, doses = _medicines(snapshot), _doses(snapshot)
    lexicon, language = snapshot.derived(lexicon_of), snapshot.profile.default_language
    ordinary, called = lexicon.knows, snapshot.derived(_treatments)

    @lru_cache(maxsize=REMEMBERED)
    def named(text: str) -> NamedThings:
        said = words(text)
        read = slots.read(text).words
        spoken = frozenset(said)
        return NamedThings(
            care=frozenset(longest(care.find(said))),
            conditions=frozenset(longest(conditions.find(said))),
            departments=frozenset(
                found.meaning
                for found in departments.find(said)
                if found.meaning.kind is Kind.DEPARTMENT
            ),
            concepts=frozenset(
                concept.name
                for use in lexicon.read(said, language)
                for concept in use.concepts[:1]
                if concept.kind in OF_CARE
            ),
            medicines=frozenset(
                kept
                for found in medicines.find(read)
                for word in read[found.start : found.end]
                if (kept := called.get(word, "" if ordinary(word) else word)) and word not in doses
            )
            - ANY_MEDICINE,
            for_children=not spoken.isdisjoint(children),
            for_adults=not spoken.isdisjoint(adults),
            has_dose=any(slots.is_number(one) and other in doses for one, other in pairwise(read)),
        )

    return named


def longest(found: Iterable[PhraseMatch[Thing]]) -> Iterator[Thing]:
    """Yield what names stand for; of names that share words the one that begins first, the longest
    of these: in "PET-CT-scan" is no CT scan."""
    end = 0
    reach = -1, -1
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if one.start >= end or (one.start, one.end) == reach:
            yield one.meaning
            end, reach = one.end, (one.start, one.end)


def _book(snapshot: Snapshot, *kinds: Kind) -> PhraseBook[Thing]:
    return PhraseBook(
        (name, thing)
        for kind in kinds
        for thing in snapshot.vocabulary.of_kind(kind)
        for name in (thing.name, *(alias.text for alias in thing.aliases))
    )


def _words_of(snapshot: Snapshot, concepts: Collection[str]) -> frozenset[str]:
    """Return the single words of concepts, in every language."""
    known = snapshot.derived(lexicon_of).concepts
    spoken = (texts for name in concepts if name in known for texts in known[name].words.values())
    return frozenset(fold(text) for texts in spoken for text in texts if len(words(text)) == 1)


def _treatments(snapshot: Snapshot) -> Mapping[str, str]:
    """Return for each word of a treatment its concept: all names of one medicine are one."""
    return {
        fold(text): concept.name
        for concept in snapshot.derived(lexicon_of).concepts.values()
        if concept.kind == "treatment"
        for texts in concept.words.values()
        for text in texts
    }


def _medicines(snapshot: Snapshot) -> slots.SlotBook:
    rows = whole_rows_of(snapshot, advice.ROWS, advice.FILE)
    return slots.SlotBook(
        (str(row["kind"]), str(row["language"]), str(row["text"]))
        for row in rows
        if row["role"] == "slot" and row["kind"] == "med"
    )


def _doses(snapshot: Snapshot) -> frozenset[str]:
    """Return the words and signs that doses are counted in; grams also weigh other things."""
    rows = snapshot.rows_of(CUES)
    return frozenset(
        fold(str(row["text"]))
        for row in rows
        if row["kind"] == DOSE_UNIT or (row["kind"] == MEASURE and row["target"] == GRAM)
    )
