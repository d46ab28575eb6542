"""Fixed texts for patients in every language, the prompts of models, and checks of the texts.

A text that is missing in a language falls back to another one. Staff see flaws: a missing text,
placeholders that differ between translations, and a length that differs much from the others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from itertools import chain, count
from statistics import median
from typing import Any

from chat.safety.phrases import defaults, rows_of_kind
from taxonomy.dates.words import MOMENT, Calendar, calendar
from taxonomy.facts.free_hours import DAY_WORD, DayNames, day_names
from taxonomy.snapshot import Profile, Snapshot
from taxonomy.vocabulary import AliasKind, Kind, Thing
from zol.languages import LANGUAGES
from zol.text import escaped, fold

#: Last fallback language of missing texts.
FALLBACK = "en"
#: Kind of a hospital's example questions for the start page, one per line; there are no defaults.
EXAMPLES = "examples"
#: Kinds of help lines by the placeholder that lists them, in order.
LISTS = {"crisis_lines": ("suicide", "listening", "child"), "violence_lines": ("violence", "child")}
#: Placeholders whose value a hospital or country may lack; their sentences are then left out.
OWN = frozenset(
    {
        "phone",
        "phone_hours",
        "emergency_phone",
        "helpdesk_phone",
        "out_of_hours_phone",
        "poison_phone",
        "crisis_phone",
        "violence_phone",
        "desk_phone",
        *LISTS,
        "website",
        "address",
    }
)
#: Alias kinds that are names, rather than abbreviations, mistakes or professions.
NAMES = (AliasKind.SYNONYM, AliasKind.LAY)
#: Kinds with the same name in every language.
UNTRANSLATED = (Kind.CAMPUS, Kind.DOCTOR, Kind.HOSPITAL)
_PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
#: A placeholder with the word before it, with which the value may begin.
_PLACED = re.compile(r"(?:\b(?P<before>[^\W\d_]+) )?" + _PLACEHOLDER.pattern)
#: A sentence with the space after it; a list item; the number of an item.
_SENTENCE = re.compile(
    r"(?:\d+\. )?.+?(?:[.!?\u037e](?:\*\*)?(?:\s+|$)|;\s+(?=[\u0386-\u03ab{])|$)"
)
_ITEM = re.compile(rf"\d+\. |- |{'|'.join(rf'{{{name}}}' for name in LISTS)}")
_NUMBER = re.compile(r"^\d+\. ")
_GAPS = re.compile(r"\n{3,}")
#: Question marks, the last two of Greek.
_ASKS = ("?", "\u037e", ";")
PROMPT_ROWS = "chat.promptsection"
#: Length ratios to the median translation beyond which a text is flagged.
LONGER, SHORTER = 2.5, 0.4
#: Median length below which lengths are not compared: short texts differ by nature.
SHORTEST_JUDGED = 40

#: A text by its kind and its language.
Texts = Mapping[tuple[str, str], str]


def filled(text: str, values: Mapping[str, Any]) -> str:
    """Fill in the known placeholders of a text; all other braces stay, since staff write the texts.

    If a value begins with the word before its placeholder, the word is written once: "le service
    {department}" becomes "le Service de médiation".
    """

    def put(found: re.Match[str]) -> str:
        if found[2] not in values:
            return found[0]
        before, value = found["before"] or "", str(values[found[2]])
        is_repeated = fold(value).split(" ")[0] == fold(before)
        return value if is_repeated or not before else f"{before} {value}"

    return _PLACED.sub(put, text)


def without_empty(text: str, empty: Container[str]) -> str:
    """Return a text without the sentences and list items that have an empty placeholder.

    A question that introduces such a sentence is removed too, and numbered lists are renumbered.
    """
    kept: list[str] = []
    for line in text.split("\n"):
        if not any(name in empty for name in _names(line)):
            kept.append(line)
        elif not _ITEM.match(line):
            kept.append(_without(line, empty))
        elif not LISTS.keys().isdisjoint(_names(line)) and kept and kept[-1].endswith(":"):
            kept[-1] = "".join(_SENTENCE.findall(kept[-1])[:-1]).rstrip()
    numbers = count(1)
    lines = (_NUMBER.sub(lambda _: f"{next(numbers)}. ", line) for line in kept)
    return _GAPS.sub("\n\n", "\n".join(lines)).strip()


def _without(line: str, empty: Container[str]) -> str:
    """Return a line without sentences that have an empty placeholder, and the questions before."""
    sentences = _SENTENCE.findall(line)
    gone = [any(name in empty for name in _names(sentence)) for sentence in sentences]
    leads = [
        sentence.rstrip().endswith(_ASKS) and any(gone[at + 1 : at + 2])
        for at, sentence in enumerate(sentences)
    ]
    left = (s for s, *out in zip(sentences, gone, leads, strict=True) if not any(out))
    return "".join(left).rstrip()


def _escaped(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value and escaped(value) for name, value in values.items()}


def _names(text: str) -> frozenset[str]:
    return frozenset(_PLACEHOLDER.findall(text))


@dataclass(frozen=True, slots=True)
class Phrases:
    """The fixed texts of one hospital."""

    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    profile: Profile = Profile()
    #: Emergency and help lines of the hospital's country.
    lines: tuple[Mapping[str, str], ...] = ()
    #: Words for weekdays in opening hours, by language.
    days: DayNames = DayNames()
    _known: dict[str, dict[str, Any]] = field(default_factory=dict, compare=False, repr=False)

    def has(self, kind: str) -> bool:
        return (kind, self.profile.default_language) in self.texts

    def say(self, kind: str, language: str, **values: object) -> str:
        """Return a text in a language as Markdown, with its placeholders filled in (escaped)."""
        text = self._text(kind, language)
        if not text:
            return ""
        known = self._own(language) | _escaped(values)
        empty = {name for name in _names(text) if name in OWN and not known.get(name)}
        return filled(without_empty(text, empty) if empty else text, known)

    def _text(self, kind: str, language: str) -> str:
        """Return a text with its placeholders, in the best available language."""
        tried = (language, self.profile.default_language, FALLBACK)
        return next((text for code in tried if (text := self.texts.get((kind, code)))), "")

    def examples(self, language: str) -> tuple[str, ...]:
        """Return the hospital's example questions in a language."""
        return tuple(self.texts.get((EXAMPLES, language), "").splitlines())

    def _own(self, language: str) -> dict[str, Any]:
        """Return the values that every text may use: the hospital's data and the help lines."""
        if language not in self._known:
            self._known[language] = self._read_own(language)
        return self._known[language]

    def _read_own(self, language: str) -> dict[str, Any]:
        own: dict[str, Any] = asdict(self.profile)
        own["phone_hours"] = self.hours(self.profile.phone_hours, language)
        for line in reversed(self.lines):
            name = f"{line['kind']}_phone"
            own[name] = getattr(self.profile, name, "") or line["number"]
        own = _escaped(own)
        for name, kinds in LISTS.items():
            lines = self.lines_in(language, kinds)
            # An empty line ends the list, so that the next line is not part of its last item.
            own[name] = "".join(
                f"- **{escaped(line['number'])}** "
                f"{escaped(line.get(f'name_{language}') or line['name_en'])}\n"
                for line in lines
            )
            first = next(iter(lines), None)
            own[f"{name.removesuffix('_lines')}_phone"] = first["number"] if first else ""
        return own

    def lines_in(self, language: str, kinds: tuple[str, ...]) -> list[Mapping[str, str]]:
        """Return help lines in a language, else those in the hospital's language and English."""
        of_kinds = [line for kind in kinds for line in self.lines if line["kind"] == kind]
        by_language = {
            code: [line for line in of_kinds if (line.get("language") or code) == code]
            for code in (language, self.profile.default_language, FALLBACK)
        }
        return by_language[language] or [
            *by_language[self.profile.default_language],
            *(line for line in by_language[FALLBACK] if line.get("language")),
        ]

    def hours(self, written: str, language: str) -> str:
        """Return opening hours as staff wrote them, with days and common words translated."""
        return self.days.translate(written, self.profile.default_language, language)

    def listed(self, items: list[str] | tuple[str, ...], language: str) -> str:
        """Join items as in a sentence: "a, b en c"."""
        if len(items) < 2:
            return "".join(items)
        return f"{', '.join(items[:-1])} {self.say('list_and', language)} {items[-1]}"

    def name(self, thing: Thing, language: str) -> str:
        """Return an entity's name, followed by its name in the asker's language if that differs."""
        if language == self.profile.default_language or thing.kind in UNTRANSLATED:
            return thing.name
        own = (a.text for a in thing.aliases if a.language == language and a.kind in NAMES)
        first = next(own, thing.name)
        return thing.name if fold(first) == fold(thing.name) else f"{thing.name} ({first})"


def phrases_of(snapshot: Snapshot) -> Phrases:
    return snapshot.derived(_read)


def _read(snapshot: Snapshot) -> Phrases:
    rows = (*defaults("texts"), *snapshot.rows_of("chat.fixedtext"))
    return Phrases(
        # A text that the hospital lacks falls back to the product's default.
        texts={(row["kind"], row["language"]): row["text"] for row in rows},
        profile=snapshot.profile,
        lines=_lines(snapshot),
        days=day_names(
            snapshot.derived(calendar_of), rows_of_kind(snapshot, "chat.cue", "cues", kind=DAY_WORD)
        ),
    )


def _lines(snapshot: Snapshot) -> tuple[Mapping[str, Any], ...]:
    """Return the help lines of a version's country.

    A version that was published before lines had a language gets the product's lines too, so that
    people in a crisis find a line in their language.
    """
    country = snapshot.profile.country
    own = [row for row in snapshot.rows_of("chat.countryline") if row["country"] == country]
    product = [row for row in defaults("country_lines") if row["country"] == country]
    if (
        not own
        or any(row.get("language") for row in own)
        or not any(r["language"] for r in product)
    ):
        return tuple(own)
    known = {row["number"] for row in product}
    return (*product, *(row for row in own if row["number"] not in known))


def calendar_of(snapshot: Snapshot) -> Calendar:
    """Return a hospital's calendar with its words for days; use it through `snapshot.derived`."""
    kinds = (MOMENT, "number_word", "person_title")
    found = (rows_of_kind(snapshot, "chat.cue", "cues", kind=kind) for kind in kinds)
    return calendar(chain.from_iterable(found), snapshot.profile.country)


@dataclass(frozen=True)
class Prompts:
    """The sections of every prompt. Immutable once built."""

    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def say(self, prompt: str, values: Mapping[str, Any]) -> str:
        """Return a prompt with its placeholders filled in and without empty sections."""
        texts = (filled(section, values).strip() for section in self.sections.get(prompt, ()))
        return "\n\n".join(filter(None, texts))


def prompts_of(snapshot: Snapshot) -> Prompts:
    """Return a version's prompts, and the product's for those that it lacks."""
    own = tuple(snapshot.rows_of(PROMPT_ROWS))
    known = {str(row["prompt"]) for row in own}
    rows = (*own, *(row for row in defaults("prompts") if row["prompt"] not in known))
    sections: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in rows:
        sections[str(row["prompt"])].append((int(row["position"] or 0), str(row["text"])))
    return Prompts({name: tuple(text for _, text in sorted(s)) for name, s in sections.items()})


class What(StrEnum):
    MISSING = "missing"
    PLACEHOLDERS = "placeholders"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class Flaw:
    """A flaw of one text in one language."""

    kind: str
    language: str
    what: What
    #: Placeholders that differ, or the length with the median length of all languages.
    detail: str = ""


def flaws(
    texts: Texts, expected: Iterable[str], languages: Iterable[str] = LANGUAGES
) -> Iterator[Flaw]:
    """Yield the flaws of texts by kind; an absent kind that is expected is missing everywhere."""
    languages = tuple(languages)
    for kind in sorted({*expected, *(kind for kind, _ in texts)}):
        every = {code: texts.get((kind, code), "").strip() for code in languages}
        yield from (Flaw(kind, code, What.MISSING) for code, text in every.items() if not text)
        written = {code: text for code, text in every.items() if text}
        yield from _of_placeholders(kind, written)
        yield from _of_length(kind, written)


def _of_placeholders(kind: str, written: Mapping[str, str]) -> Iterator[Flaw]:
    named = {code: frozenset(_PLACEHOLDER.findall(text)) for code, text in written.items()}
    sets = list(named.values())
    usual = max(sets, key=lambda one: (sets.count(one), len(one)), default=frozenset())
    for code, names in named.items():
        if names != usual:
            yield Flaw(kind, code, What.PLACEHOLDERS, ", ".join(sorted(names ^ usual)))


def _of_length(kind: str, written: Mapping[str, str]) -> Iterator[Flaw]:
    middle = median(map(len, written.values())) if written else 0
    if middle < SHORTEST_JUDGED:
        return
    for code, text in written.items():
        if not SHORTER * middle <= len(text) <= LONGER * middle:
            yield Flaw(kind, code, What.LENGTH, f"{len(text)} / {middle:.0f}")
