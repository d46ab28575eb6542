"""Questions for medical advice about a person, told apart without any model.

Whole phrases ("wat zou u doen"), and rules that combine slots ("{howmuch} {med}", see
`chat.safety.slots`): dosing, taking, stopping, diagnosis, results, a choice of treatment. What the
hospital's own pages say may be asked: words for a brochure or a table speak against a rule, unless
it is about one person or the asker wants leave ("according to the site, may I stop"); and so do,
for taking medicines in general, words for getting ready.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from chat.safety.rows import whole_rows_of
from chat.safety.slots import (
    Rule,
    Rules,
    SlotBook,
    SlotMatch,
    holding,
    is_number,
    numbers,
    read,
    rule,
)
from taxonomy.lexicon import ROWS as LEXICON
from taxonomy.snapshot import SharedValue, Snapshot
from zol.languages import LANGUAGES

ROWS, FILE = "chat.advicephrase", "advice"
#: From this confidence on a question is not answered.
BLOCKS = 0.70
CERTAIN, HINTED = 0.9, 0.5
#: Parts that mean something behind a number only: "18 kg", "11 jaar".
COUNTED = frozenset({"weight", "age"})
#: Somebody in particular: what a brochure says does not hold for one child of eleven.
PERSON = "person"
#: Words that ask leave for the asker ("mag ik"); and sources that are texts: to name a brochure
#: makes a decision about one's own medicine no less one.
LEAVE, WRITTEN = "leave", "text"
#: Rules about general preparation, which pages for patients answer. Words for getting ready of
#: another sort than `ANY` speak against the rules of that sort alone (pupils: `driving`).
ANY = "any"
PREPARED = frozenset({"generic"})
#: Rules about beginning a medicine again. Words of these names ("after the operation") speak
#: against these alone: they say nothing of other advice. So do words for what else is begun again
#: ("sport", "a course"), but only where they stand nearer to the verb than the medicine does.
RESUMED, VERB = frozenset({"resuming", "restarting"}), "restart"
AGAIN = "again"
#: Rules that no page of the hospital can answer: they are about the asker, or weigh one treatment
#: against another, which "what is a stent?" does not.
VERSUS = "versus"
ALWAYS = frozenset({"results", VERSUS})
#: What stands between two treatments that are weighed, and how near: "a stent or a bypass"; and
#: what does so too, or behind both of them.
OR, NEAR, THAN = "or", 4, "betterthan"
#: Rules that words for whom to turn to speak against: "welke dienst", "who treats".
ROUTED = frozenset({"results", "diagnosis", "likely", "choice", "danger", "triage"})
#: Rules of which all are spared where a question as a whole is about something else than advice.
SPARING = (PREPARED, frozenset({"driving"}), ROUTED)
#: Rules whose slots must be filled in their order: "is dat kanker", not "kanker, wat is dat".
ORDERED = frozenset({"likely"})
#: What somebody takes off or leaves at home: words of this sort speak against no rule, but for a
#: question in which nothing is taken or felt, whatever it is like.
READY = "ready"
FELT = frozenset({"med", "meds", "dose", "unit", "symptom", "lab", "results", "danger", "alcohol"})
#: Slots of medicines, and of what medicine is about.
MEDICINES = frozenset({"med", "meds"})
MEDICAL = frozenset(
    {"med", "meds", "dose", "unit", "disease", "symptom", "lab", "treat", "results"}
)
#: Sorts of concepts of the lexicon that fill a slot.
OF_LEXICON = {"condition": "disease", "symptom": "symptom", "treatment": "treat"}
#: Rules whose words must stand close together, and how close.
CLOSE = {"likely": 4, "diagnosis": 12}


@dataclass(frozen=True, slots=True)
class Advice:
    """How certain it is that advice is asked for, and why."""

    confidence: float = 0.0
    evidence: tuple[str, ...] = ()
    #: The sort of advice that a rule is about.
    kind: str = ""
    #: Whether medicines, complaints, conditions, treatments or measured values are spoken of.
    is_medical: bool = False
    #: Whether medicines are.
    is_of_medicine: bool = False
    #: Whether words say that a page, a preparation or whom to turn to is asked for.
    is_spared: bool = False

    @property
    def blocks(self) -> bool:
        return self.confidence >= BLOCKS


class AdviceCues:
    """The words and rules of questions for advice. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        by_role: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for row in rows:
            by_role[str(row["role"])].append(
                (str(row["kind"]), str(row["language"]), str(row["text"]))
            )
        by_span: dict[int | None, list[Rule]] = defaultdict(list)
        for kind, _, text in by_role["rule"]:
            by_span[CLOSE.get(kind)].append(rule(kind, text))
        self._rules = {span: Rules(rules) for span, rules in by_span.items()}
        self._slots = SlotBook(by_role["slot"])
        self._phrases = SlotBook(by_role["phrase"])
        self._hints = SlotBook(by_role["hint"])
        self._sources = SlotBook(by_role["source"])
        self._preparing = SlotBook(by_role["prepare"])
        self._routing = SlotBook(by_role["route"])

    def check(self, text: str) -> Advice:
        """Return how certain it is that a text asks for advice."""
        words = read(text).words
        filled = [one for one in self._slots.find(words) if _counts(one, words)]
        sources = self._sources.find(words)
        is_spared = bool(sources) and not _is_personal(filled)
        is_told = is_spared and not _asks_leave(filled, sources)
        if not is_told:
            for phrase in self._phrases.find(words):
                return Advice(CERTAIN, (" ".join(words[phrase.start : phrase.end]),))
        for one, parts in self._asked(filled, words):
            if not is_told or one.kind in ALWAYS:
                said = (" ".join(words[part.start : part.end]) for part in parts)
                return Advice(CERTAIN, tuple(said), one.kind)
        hints = tuple(" ".join(words[h.start : h.end]) for h in self._hints.find(words))
        return Advice(
            HINTED if hints else 0.0,
            hints,
            is_medical=any(one.slot in MEDICAL for one in filled),
            is_of_medicine=any(one.slot in MEDICINES for one in filled),
            is_spared=is_spared or self._is_spared(filled, words),
        )

    def _is_spared(self, filled: Iterable[SlotMatch], words: tuple[str, ...]) -> bool:
        """Tell whether a question as a whole is about something else than advice."""
        spared = self._spared_by(words)
        is_ready = READY in spared and FELT.isdisjoint(one.slot for one in filled)
        return is_ready or any(sorts <= spared for sorts in SPARING)

    def _spared_by(self, words: tuple[str, ...]) -> frozenset[str]:
        """Return the sorts of rules that words of a text speak against."""
        sorts = frozenset(one.slot for one in self._preparing.find(words))
        spared = (sorts - {ANY, AGAIN}) | (PREPARED if ANY in sorts else frozenset())
        return spared | (ROUTED if self._routing.find(words) else frozenset())

    def _asked(
        self, filled: list[SlotMatch], words: tuple[str, ...]
    ) -> Iterator[tuple[Rule, tuple[SlotMatch, ...]]]:
        measured = {one.start for one in filled if one.slot in COUNTED}
        found = [*filled, *(one for one in numbers(words) if one.end not in measured)]
        spared = self._spared_by(words)
        others = [one for one in self._preparing.find(words) if one.slot == AGAIN]
        for span, rules in self._rules.items():
            within = {} if span is None else {"span": span}
            for one, parts in holding(rules, found, **within):
                if one.kind in spared or not _is_in_order(one, parts):
                    continue
                if one.kind not in RESUMED or not _is_begun(others, parts):
                    yield one, parts


def _is_in_order(one: Rule, parts: tuple[SlotMatch, ...]) -> bool:
    if one.kind == VERSUS:
        return _are_weighed(parts)
    starts = [part.start for part in parts]
    return one.kind not in ORDERED or starts == sorted(starts)


def _are_weighed(parts: tuple[SlotMatch, ...]) -> bool:
    """Tell whether what sets two treatments against each other stands where it does that: "better
    to call or to write for an operation after physiotherapy?" weighs none."""
    weighed = sorted((part for part in parts if part.slot in MEDICAL), key=attrgetter("start"))
    if len(weighed) < 2:
        return False
    first, last = weighed[0], weighed[-1]
    between = all(
        0 <= one.start - first.end <= NEAR and 0 <= last.start - one.end <= NEAR
        for one in parts
        if one.slot == OR
    )
    return between and all(one.start >= first.end for one in parts if one.slot == THAN)


def _is_begun(others: Iterable[SlotMatch], parts: Iterable[SlotMatch]) -> bool:
    """Tell whether what is begun again is one of these rather than the medicine of a rule."""
    verbs = [part for part in parts if part.slot == VERB]
    medicines = [part for part in parts if part.slot in MEDICAL]
    nearest = [min(_apart(verb, one) for one in medicines) for verb in verbs if medicines]
    return any(
        _apart(verb, other) < near
        for verb, near in zip(verbs, nearest, strict=False)
        for other in others
    )


def _apart(one: SlotMatch, other: SlotMatch) -> int:
    """Return how many words stand between two; fewer than none where one is within the other."""
    return max(one.start - other.end, other.start - one.end)


def _counts(filled: SlotMatch, words: tuple[str, ...]) -> bool:
    if filled.slot not in COUNTED:
        return True
    return filled.start > 0 and is_number(words[filled.start - 1])


def _is_personal(filled: Iterable[SlotMatch]) -> bool:
    return any(one.slot == PERSON for one in filled)


def _asks_leave(filled: Iterable[SlotMatch], sources: Iterable[SlotMatch]) -> bool:
    """Tell whether the asker wants leave, of texts alone: what to bring or pay is no decision."""
    is_written = all(source.slot == WRITTEN for source in sources)
    return is_written and any(one.slot == LEAVE for one in filled)


def advice_cues_of(snapshot: Snapshot) -> AdviceCues:
    """Return a version's cues; use it through `snapshot.derived(advice_cues_of)`."""
    return _advice_cues.of((*whole_rows_of(snapshot, ROWS, FILE), *_of_lexicon(snapshot)))


_advice_cues: SharedValue[tuple[Mapping[str, Any], ...], AdviceCues] = SharedValue(AdviceCues)


def _of_lexicon(snapshot: Snapshot) -> Iterator[dict[str, str]]:
    """Give the words of the lexicon for conditions, complaints and treatments."""
    for concept in snapshot.rows_of(LEXICON):
        if slot := OF_LEXICON.get(str(concept["kind"])):
            for language in LANGUAGES:
                for word in filter(None, str(concept.get(language) or "").split("|")):
                    yield {"kind": slot, "language": language, "role": "slot", "text": word}
