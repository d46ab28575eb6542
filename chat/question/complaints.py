"""What somebody who describes complaints may be told: where to go, never what they may have."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chat.checking.knowledge import knowledge_of
from chat.question.answer_types import Sort
from chat.safety.phrases import PhraseBook
from chat.turn import Context
from retrieval.intents import Intent
from retrieval.passage import Passage, Source
from taxonomy.kinds import AliasKind, Kind
from taxonomy.lexicon import lexicon_of
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing
from zol.text import words

#: Kinds of things that complaints may point to.
CARE = (Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION)
#: Kinds of pages that tell about one such thing, or one person.
ABOUT_ONE = frozenset({"Condition", "Treatment", "Examination", "Brochure", "Doctor"})
#: Names of a condition: other aliases are how complaints are described.
NAMES = (AliasKind.SYNONYM, AliasKind.ABBREVIATION)
#: Concepts of the doctor whom somebody sees first.
GP = frozenset({"gp", "gp_on_duty"})
#: Letters from which a name is seldom another word.
SHORTEST = 5


def is_described(ctx: Context, sorts: frozenset[Sort]) -> bool:
    """Whether complaints are described of which nobody named the cause, and no other sort of answer
    is asked for than where to go: who asks how long something lasts knows what it is."""
    is_complaint = ctx.understanding.intent is Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION
    return is_complaint and sorts <= {Sort.PLACE} and not ctx.understanding.matched(*CARE)


def guiding(passages: Iterable[Passage], snapshot: Snapshot) -> tuple[Passage, ...]:
    """Return the passages of pages that are not about one condition or what is done for it."""
    own = snapshot.derived(pages_of_care)
    return tuple(p for p in passages if not is_about_one(p.source, own))


def is_about_one(source: Source, own: frozenset[str]) -> bool:
    return source.category in ABOUT_ONE or source.url in own


def pages_of_care(snapshot: Snapshot) -> frozenset[str]:
    """Return the addresses of the pages of conditions, examinations and treatments, without those
    that are a department's too; use it through `snapshot.derived(pages_of_care)`."""
    vocabulary = snapshot.vocabulary
    care = {thing.url for kind in CARE for thing in vocabulary.of_kind(kind)}
    return frozenset(care - {d.url for d in vocabulary.of_kind(Kind.DEPARTMENT)} - {""})


def names_nothing_unasked(snapshot: Snapshot) -> Callable[[str], bool]:
    """Return what tells whether a statement names no condition, or says where to go with it."""
    conditions = snapshot.derived(conditions_of)
    return lambda text: not any(conditions.find(words(text))) or tells_where(text, snapshot)


def conditions_of(snapshot: Snapshot) -> PhraseBook[Thing]:
    """Return the names of conditions; use it through `snapshot.derived(conditions_of)`."""
    return PhraseBook(
        (name, thing)
        for thing in snapshot.vocabulary.of_kind(Kind.CONDITION)
        for name in (thing.name, *(a.text for a in thing.aliases if a.kind in NAMES))
        if len(name) >= SHORTEST
    )


def tells_where(text: str, snapshot: Snapshot) -> bool:
    """Whether a text names a department, or speaks of the family doctor: somebody can go there."""
    spoken = words(text)
    departments, doctors = snapshot.derived(knowledge_of).names, snapshot.derived(family_doctors)
    return any(doctors.find(spoken)) or any(
        found.meaning.kind is Kind.DEPARTMENT for found in departments.find(spoken)
    )


def family_doctors(snapshot: Snapshot) -> PhraseBook[str]:
    """Return how family doctors are called; use it through `snapshot.derived(family_doctors)`."""
    known = snapshot.derived(lexicon_of).concepts
    spoken = (text for name in GP & known.keys() for t in known[name].words.values() for text in t)
    return PhraseBook((text, text) for text in spoken)
