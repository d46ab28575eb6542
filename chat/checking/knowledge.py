"""Names and word lists that the checks use, read from a hospital's published version."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from chat.checking.figures import FigureReader
from chat.phrases import PROMPT_ROWS, calendar_of, phrases_of
from chat.safety.phrases import PhraseBook, defaults, rows_of_kind
from taxonomy.dates.words import Calendar
from taxonomy.language.lexicon import Lexicon, lexicon_of
from taxonomy.publishing.snapshot import Profile, Snapshot
from taxonomy.vocabulary import AliasKind, Kind, Thing
from zol import phones
from zol.languages import LANGUAGES
from zol.text import fold, words

CUES = "chat.cue"
#: Cue kinds.
QUALIFIER, RISKY, STANDING = "qualifier", "risky", "standing"
#: Maximum words between two words of a standing phrase.
GAP = 2
#: Contradictory qualifiers of one figure.
CONTRARY = (("at_most", "at_least"), ("until", "from"), ("earlier", "later"))
LIMITS = frozenset(code for pair in CONTRARY for code in pair)
#: Target of `standing` rows that hold words allowed beside a standing phrase.
BESIDE = "words"
NUMBER, MEASURE, DOSE_UNIT = "number_word", "measure", "dose_unit"
DIAGNOSIS, TITLE, ADMISSION = "diagnosis_given", "person_title", "admission"
WEEKDAY = "weekday"
#: Kinds of help lines to which any answer may refer.
HELPING = ("emergency", "poison")
#: Length of a run of prompt words that no answer contains by chance.
PROMPT_RUN = 8
#: Cue kinds for which the product's rows are used if the hospital's version has none.
OURS = (QUALIFIER, RISKY, STANDING, ADMISSION, WEEKDAY)
#: Weight below which a number word needs a unit.
SURE = 1.0
#: Minimum letters of a name; shorter ones clash with words.
SHORTEST_NAME = 4
#: Kinds whose names an answer must not invent or confuse.
NAMED = (Kind.DEPARTMENT, Kind.DOCTOR)
#: Alias kinds that count as names.
NAMES = (AliasKind.SYNONYM, AliasKind.ABBREVIATION)
#: Doctors' titles, whatever rows and taxonomy list.
DOCTORS = ("Dr", "Prof")
#: Lexicon concepts whose words precede a doctor's or a department's name.
BEFORE_PEOPLE, BEFORE_PLACES = ("doctor", "specialist"), ("department", "ward")
#: Separators after a title and after a word; "arts, Apotheek" is no physician's name.
AFTER_TITLE, AFTER_WORD = r"\b\W+", r"\.?[^\S\n]+"
_NEVER = re.compile(r"(?!)(?P<name>)")
_CAPITAL = f"[{''.join(filter(str.isupper, map(chr, range(0x530))))}]"


@dataclass(frozen=True)
class CueWords:
    """Phrases by language with their targets; * matches any beginning or ending."""

    patterns: Mapping[str, Mapping[str, re.Pattern[str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]], *, gap: int = 0) -> CueWords:
        """Return the phrases of rows; up to `gap` other words may separate those of a phrase."""
        phrases: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for row in rows:
            known = phrases[str(row["language"])][str(row["target"])]
            known += [_pattern(each, gap) for each in str(row["text"]).split("|")]
        return cls(
            {
                code: {
                    target: re.compile(rf"(?<!\w)(?:{_either(known)})(?!\w)")
                    for target, known in targets.items()
                }
                for code, targets in phrases.items()
            }
        )

    def targets(self, text: str, language: str) -> tuple[str, ...]:
        """Return the target of each phrase in a text, sorted."""
        return _targets(self, plain(text), language)

    def spans(self, text: str, language: str) -> Iterator[tuple[str, re.Match[str]]]:
        """Yield the phrases in a folded text, each with its target."""
        for target, pattern in self.patterns.get(language, {}).items():
            yield from ((target, found) for found in pattern.finditer(text))

    def without(self, text: str, language: str, *targets: str) -> str:
        """Return a folded text without the phrases of some targets, by default of all."""
        for target, pattern in self.patterns.get(language, {}).items():
            text = text if targets and target not in targets else pattern.sub(" ", text)
        return text

    __hash__ = object.__hash__


def plain(text: str) -> str:
    """Return a text folded, with one kind of apostrophe, as `CueWords` expects it."""
    return fold(text).replace("’", "'")


@lru_cache(maxsize=8_192)
def _targets(cues: CueWords, text: str, language: str) -> tuple[str, ...]:
    return tuple(sorted(target for target, _ in cues.spans(text, language)))


def _pattern(phrase: str, gap: int) -> str:
    between = rf"\W+(?:\w+\W+){{0,{gap}}}?" if gap else r"\W+"
    return between.join(re.escape(word).replace(r"\*", r"\w*") for word in plain(phrase).split())


def _either(patterns: Iterable[str]) -> str:
    """Return a pattern of any of these, longest first."""
    return "|".join(sorted(set(patterns), key=lambda each: (-len(each), each)))


@dataclass(frozen=True)
class Knowledge:
    """Names and word lists of one published version."""

    names: PhraseBook[Thing] = field(default_factory=lambda: PhraseBook(()))
    #: Keys of entities by telephone number.
    by_phone: Mapping[str, frozenset[str]] = field(default_factory=dict)
    #: Units of doses, such as ml and tablet.
    dose_units: frozenset[str] = frozenset()
    diagnoses: PhraseBook[str] = field(default_factory=lambda: PhraseBook(()))
    #: Patterns of people's names: after a title, and after a word such as "physician".
    people: tuple[re.Pattern[str], re.Pattern[str]] = (_NEVER, _NEVER)
    #: Pattern of departments' names.
    places: re.Pattern[str] = _NEVER
    #: Words of all names in the taxonomy.
    called: frozenset[str] = frozenset()
    lexicon: Lexicon = field(default_factory=Lexicon)
    #: Function words of any language, which are never names.
    function_words: frozenset[str] = frozenset()
    figures: FigureReader = field(default_factory=FigureReader)
    #: The hospital's main, help desk and emergency numbers.
    hospital: frozenset[str] = frozenset()
    #: Emergency numbers of the country and the hospital, such as 112 and the poison centre.
    helping: frozenset[str] = frozenset()
    #: The hospital's web host.
    host: str = ""
    campuses: PhraseBook[Thing] = field(default_factory=lambda: PhraseBook(()))
    #: Cues: qualifiers, risky words, standing phrases, weekdays.
    qualifiers: CueWords = field(default_factory=CueWords)
    risky: CueWords = field(default_factory=CueWords)
    standing: CueWords = field(default_factory=CueWords)
    #: Words allowed beside a standing phrase, by language.
    beside: Mapping[str, frozenset[str]] = field(default_factory=dict)
    days: CueWords = field(default_factory=CueWords)
    calendar: Calendar = field(default_factory=Calendar)
    #: Runs of words of the product's prompts.
    prompts: frozenset[tuple[str, ...]] = frozenset()

    def named(self, text: Sequence[str]) -> dict[str, Thing]:
        """Return the departments and doctors that folded words name, by key."""
        return {key_of(found.meaning): found.meaning for found in self.names.find(text)}

    def named_by_name(self, text: Sequence[str]) -> dict[str, Thing]:
        """Return the departments and doctors that folded words call by their own name, by key."""
        found = self.names.find(text)
        return {key_of(f.meaning): f.meaning for f in found if fold(f.text) == fold(f.meaning.name)}

    def synonyms_in(self, text: str) -> tuple[str, ...]:
        """Return the synonyms in a text with the names that they stand for: "Lanaken: Campus
        Sint-Barbara"."""
        said = words(text)
        found = [*self.names.find(said), *self.campuses.find(said)]
        return tuple(
            f"{f.text}: {f.meaning.name}" for f in found if fold(f.text) != fold(f.meaning.name)
        )

    def titled(self, text: str) -> tuple[str, ...]:
        """Return the names that follow titles, as written, without duplicates.

        After a word such as "Arzt" function words do not count: German may capitalise them
        ("Ihnen").
        """
        titled, others = ([each["name"] for each in p.finditer(text)] for p in self.people)
        names = (name for name in others if not self.function_words.issuperset(words(name)))
        return tuple(dict.fromkeys((*titled, *names)))


def key_of(thing: Thing) -> str:
    return f"{thing.kind}:{thing.key}"


def knowledge_of(snapshot: Snapshot) -> Knowledge:
    """Read the names and word lists of a version; use it through `snapshot.derived`."""
    cues = defaultdict[str, list[Mapping[str, Any]]](list)
    for row in snapshot.rows_of(CUES):
        cues[str(row["kind"])].append(row)
    vocabulary = snapshot.vocabulary
    lexicon = snapshot.derived(lexicon_of)
    people = [thing for kind in NAMED for thing in vocabulary.of_kind(kind)]
    known = (doctor.get("title") for doctor in vocabulary.of_kind(Kind.DOCTOR))
    titles = frozenset((*DOCTORS, *known, *(str(row["text"]) for row in cues[TITLE])))
    professions = _words_of(lexicon, BEFORE_PEOPLE)
    ours = {kind: rows_of_kind(snapshot, CUES, "cues", kind=kind) for kind in OURS}
    standing = (*ours[STANDING], *({**row, "target": ADMISSION} for row in ours[ADMISSION]))
    return Knowledge(
        names=PhraseBook((name, thing) for thing in people for name in _names(thing)),
        by_phone=_by_phone(vocabulary.things, snapshot.profile.country),
        dose_units=frozenset(str(row["target"]) for row in cues[DOSE_UNIT]),
        diagnoses=PhraseBook((row["text"], row["text"]) for row in cues[DIAGNOSIS]),
        people=(
            _names_after(titles, AFTER_TITLE, titles | professions),
            _names_after(professions, AFTER_WORD, titles | professions),
        ),
        places=_names_after(_words_of(lexicon, BEFORE_PLACES), AFTER_WORD),
        called=frozenset(
            word
            for thing in vocabulary.things
            for name in (thing.name, *(alias.text for alias in thing.aliases))
            for word in words(name)
        ),
        lexicon=lexicon,
        function_words=frozenset().union(*map(lexicon.stop_words, LANGUAGES)),
        figures=_reader(cues, snapshot.profile.country),
        hospital=_hospital(snapshot.profile),
        helping=_helping(snapshot),
        host=(urlsplit(snapshot.profile.website).hostname or "").removeprefix("www."),
        campuses=PhraseBook(
            (name, campus)
            for campus in vocabulary.of_kind(Kind.CAMPUS)
            for name in (campus.name, *(alias.text for alias in campus.aliases))
            if len(name) >= SHORTEST_NAME
        ),
        qualifiers=CueWords.of(ours[QUALIFIER]),
        risky=CueWords.of(ours[RISKY]),
        standing=CueWords.of((r for r in standing if r["target"] != BESIDE), gap=GAP),
        beside=_beside(standing),
        days=CueWords.of(ours[WEEKDAY]),
        calendar=snapshot.derived(calendar_of),
        prompts=frozenset(
            run
            for row in (*defaults("prompts"), *snapshot.rows_of(PROMPT_ROWS))
            for run in runs(words(str(row["text"])))
        ),
    )


def runs(text: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """Yield each run of `PROMPT_RUN` words."""
    return (tuple(text[at : at + PROMPT_RUN]) for at in range(len(text) - PROMPT_RUN + 1))


def _beside(rows: Iterable[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        found[str(row["language"])].update(words(str(row["text"])))
    return {code: frozenset(allowed) for code, allowed in found.items()}


def _reader(cues: Mapping[str, Iterable[Mapping[str, Any]]], home: str) -> FigureReader:
    """Return the reader of figures by number words and units."""
    numbers, ambiguous = defaultdict[str, dict[str, str]](dict), set[tuple[str, str]]()
    for row in cues[NUMBER]:
        language, word = str(row["language"]), fold(str(row["text"]))
        numbers[language][word] = str(row["target"])
        if float(row["weight"]) < SURE:
            ambiguous.add((language, word))
    units = (row for kind in (MEASURE, DOSE_UNIT) for row in cues[kind])
    meant = {fold(str(row["text"])): str(row["target"]) for row in units}
    return FigureReader(numbers, frozenset(ambiguous), meant, home)


def _hospital(profile: Profile) -> frozenset[str]:
    """Return the hospital's telephone numbers as they are dialled."""
    own = (
        profile.phone, profile.emergency_phone, profile.helpdesk_phone, profile.out_of_hours_phone,
    )  # fmt: skip
    return frozenset(phones.dialled(each, profile.country) for each in own if each)


def _helping(snapshot: Snapshot) -> frozenset[str]:
    """Return the emergency numbers of the country and the hospital."""
    profile, lines = snapshot.profile, phrases_of(snapshot).lines
    numbers = [str(line["number"]) for line in lines if line["kind"] in HELPING]
    emergency = filter(None, (*numbers, profile.emergency_phone))
    return frozenset(phones.dialled(each, profile.country) for each in emergency)


def _names_after(before: Iterable[str], between: str, never: Iterable[str] = ()) -> re.Pattern[str]:
    """Return a pattern of the names that follow given words and begin with no word of `never`."""
    either, others = (
        _either(re.escape(each) for word in known for each in (word, fold(word)))
        for known in ({each.rstrip(".") for each in some} - {""} for some in (before, never))
    )
    if not either:
        return _NEVER
    part = rf"(?!(?i:{others or '(?!)'})\b){_CAPITAL}(?:\.|[\w’'-]*)"
    rest = rf"(?:[ -]?(?:['’]?[^\W\d_]{{1,4}} ){{0,2}}{part}){{0,4}}"
    return re.compile(rf"\b(?i:{either}){between}(?P<name>{part}{rest})")


def _words_of(lexicon: Lexicon, concepts: Iterable[str]) -> frozenset[str]:
    """Return the words of concepts in every language."""
    found = [lexicon.concepts[name].words for name in concepts if name in lexicon.concepts]
    return frozenset(
        word for by_language in found for code in LANGUAGES for word in by_language.get(code, ())
    )


def _names(thing: Thing) -> Iterable[str]:
    """Yield the names of an entity; a doctor's are first and last name together."""
    if thing.kind == Kind.DOCTOR:
        yield f"{thing.get('first_name')} {thing.get('last_name')}".strip() or thing.name
        return
    yield thing.name
    for alias in thing.aliases:
        if alias.kind in NAMES and len(alias.text) >= SHORTEST_NAME:
            yield alias.text


def _by_phone(things: Iterable[Thing], home: str) -> dict[str, frozenset[str]]:
    owners: dict[str, set[str]] = defaultdict(set)
    for thing in things:
        for phone in phones.numbers(thing.get("phone"), home):
            owners[phone].add(key_of(thing))
    return {phone: frozenset(keys) for phone, keys in owners.items()}
