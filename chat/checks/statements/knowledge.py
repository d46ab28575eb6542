"""What the checks know of a hospital and its languages: names, and words that rows list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chat.checks.statements.figures import Figures
from chat.safety.phrases import PhraseBook
from chat.safety.rows import rows_of_kind
from taxonomy.kinds import AliasKind, Kind
from taxonomy.lexicon import Lexicon, lexicon_of
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing
from zol import phones
from zol.text import fold, words

CUES = "chat.cue"
NUMBER, MEASURE, DOSE_UNIT = "number_word", "measure", "dose_unit"
DIAGNOSIS, TITLE, ADMISSION = "diagnosis_given", "person_title", "admission"
#: A word for a number of less weight is one only where it counts something.
SURE = 1.0
#: Words that may stand between those of an admission.
ADMITTED_GAP = 2
#: A name that is shorter is too easily another word.
SHORTEST_NAME = 4
#: Kinds whose names an answer must not invent or confuse.
NAMED = (Kind.DEPARTMENT, Kind.DOCTOR)
#: Aliases that are a name of the thing, rather than a word that leads to it.
NAMES = (AliasKind.SYNONYM, AliasKind.ABBREVIATION)


@dataclass(frozen=True)
class Knowledge:
    """Read once per published version."""

    names: PhraseBook[Thing] = field(default_factory=lambda: PhraseBook(()))
    #: Things by telephone number.
    by_phone: Mapping[str, frozenset[str]] = field(default_factory=dict)
    #: What doses are counted in, such as ml and tablet.
    dose_units: frozenset[str] = frozenset()
    diagnoses: PhraseBook[str] = field(default_factory=lambda: PhraseBook(()))
    titles: frozenset[str] = frozenset()
    lexicon: Lexicon = field(default_factory=Lexicon)
    figures: Figures = field(default_factory=Figures)
    #: How it is said that our pages do not tell something.
    admissions: PhraseBook[str] = field(default_factory=lambda: PhraseBook(()))
    #: Numbers and the address that the hospital publishes as its own.
    own: tuple[str, ...] = ()

    def named(self, spoken: Sequence[str]) -> dict[str, Thing]:
        """Return the departments and doctors that folded words name, by their key."""
        return {key_of(found.meaning): found.meaning for found in self.names.find(spoken)}


def key_of(thing: Thing) -> str:
    return f"{thing.kind}:{thing.key}"


def knowledge_of(snapshot: Snapshot) -> Knowledge:
    """Return what a version's checks know; use it through `snapshot.derived(knowledge_of)`."""
    cues = _cues(snapshot.rows_of(CUES))
    vocabulary = snapshot.vocabulary
    people = [thing for kind in NAMED for thing in vocabulary.of_kind(kind)]
    return Knowledge(
        names=PhraseBook((name, thing) for thing in people for name in _names(thing)),
        by_phone=_by_phone(vocabulary.of_kind(kind) for kind in Kind),
        dose_units=frozenset(str(row["target"]) for row in cues[DOSE_UNIT]),
        diagnoses=PhraseBook((row["text"], row["text"]) for row in cues[DIAGNOSIS]),
        titles=frozenset(word for row in cues[TITLE] for word in words(row["text"])),
        lexicon=snapshot.derived(lexicon_of),
        figures=Figures(
            words=_by_language(cues[NUMBER]),
            unsure=frozenset(
                (str(row["language"]), fold(str(row["text"])))
                for row in cues[NUMBER]
                if float(row["weight"]) < SURE
            ),
            units=_meanings((*cues[MEASURE], *cues[DOSE_UNIT])),
        ),
        admissions=PhraseBook(
            (
                (row["text"], row["text"])
                for row in rows_of_kind(snapshot, CUES, "cues", kind=ADMISSION)
            ),
            gap=ADMITTED_GAP,
        ),
        own=published(snapshot),
    )


def published(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the numbers and the address that the hospital publishes as its own."""
    profile = snapshot.profile
    own = (
        profile.phone,
        profile.phone_hours,
        profile.emergency_phone,
        profile.helpdesk_phone,
        profile.out_of_hours_phone,
        profile.address,
        *(thing.get("phone") for thing in snapshot.vocabulary.things),
    )
    return tuple(dict.fromkeys(filter(None, own)))


def _by_language(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        found[str(row["language"])][fold(str(row["text"]))] = str(row["target"])
    return dict(found)


def _meanings(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    return {fold(str(row["text"])): str(row["target"]) for row in rows}


def _cues(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    by_kind: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_kind[str(row["kind"])].append(row)
    return by_kind


def _names(thing: Thing) -> Iterable[str]:
    """Yield what a thing is called; of a doctor the first and last name together."""
    if thing.kind == Kind.DOCTOR:
        yield f"{thing.get('first_name')} {thing.get('last_name')}".strip() or thing.name
        return
    yield thing.name
    for alias in thing.aliases:
        if alias.kind in NAMES and len(alias.text) >= SHORTEST_NAME:
            yield alias.text


def _by_phone(groups: Iterable[Iterable[Thing]]) -> dict[str, frozenset[str]]:
    owners: dict[str, set[str]] = defaultdict(set)
    for things in groups:
        for thing in things:
            for phone in phones.numbers(thing.get("phone")):
                owners[phone].add(key_of(thing))
    return {phone: frozenset(keys) for phone, keys in owners.items()}
