"""Redact personal data from a question before anything is stored, logged, cached or sent.

Numbers are detected by format and check digits; any long number is redacted, since it could
identify somebody. Names are found by lists and context; dates of birth, addresses and customer
numbers by announcing words, which are rows. The hospital's own numbers, addresses and doctors are
not redacted: a patient may ask whether they are right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from stdnum import iban, luhn
from stdnum.at import vnr
from stdnum.be import eid, nn
from stdnum.de import idnr
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.nl import bsn
from stdnum.tr import tckimlik

from chat.safety import announced_numbers as announced
from chat.safety import private_names as named
from chat.safety.advice import AROUND, MARKER, NAME, TOWN
from chat.safety.announced_numbers import AnnouncedData, Cut
from chat.safety.people import people
from chat.safety.phrases import PhraseBook, rows_of_kind
from chat.safety.private_names import OwnName, PrivateNames
from taxonomy.language import dictionary
from taxonomy.language.lexicon import Lexicon, lexicon_of
from taxonomy.language.names import FULL, STRANGER
from taxonomy.language.tokens import Token, normalise
from taxonomy.resolvers import ResolverIndex, resolver_index
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Kind
from zol import phones
from zol.clock import hospital_now
from zol.text import words

ROWS, FILE, LINES = "chat.cue", "cues", "chat.countryline"
KINDS = (*announced.KINDS, *named.KINDS, MARKER, AROUND)


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without personal data, and the kinds that were removed."""

    text: str
    kinds: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.kinds)


@dataclass(frozen=True, slots=True)
class _Form:
    """A kind of personal data with a fixed format."""

    kind: str
    pattern: re.Pattern[str]
    #: Returns the length of the valid part of a match.
    length: Callable[[str], int] = len


def _if(is_valid: Callable[[str], bool]) -> Callable[[str], int]:
    return lambda text: len(text) if is_valid(text) else 0


def _iban(text: str) -> int:
    """Return the length of an IBAN, which other words may follow."""
    ends = range(len(text), 14, -1)
    return next((end for end in ends if text[end - 1].isalnum() and iban.is_valid(text[:end])), 0)


def _card(text: str) -> bool:
    return luhn.is_valid(re.sub(r"\D", "", text))


def _identity(text: str) -> bool:
    """Return whether a number has the check digit of a country's identity numbers."""
    return any(country.is_valid(text) for country in (vnr, bsn, idnr, nhs, tckimlik))


def _ip(text: str) -> bool:
    return ":" in text or all(int(part) <= 255 for part in text.split("."))


_MAIL = r"[\w.+-]+\s?@\s?(?:[\w-]+\.)+[^\W\d_]{2,}|[\w.+-]{2,}@[^\W\d_][\w-]++(?!\.\w)"
_URL = r"\b(?:https?://|www\.|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,5}/)\S*[^\s.,;:!?)]"
_IP = r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)|\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b"
_NATIONAL = r"\b\d{2}[. /]?\d{2}[. /]?\d{2}[- ./–]?\d{3}[. /–-]?\d{2}\b"
#: The format of a Belgian national number, even with a wrong digit.
_AS_NATIONAL = r"\b\d{2}([ ./-])\d{2}\1\d{2}[- ./–]\d{3}[. /–-]\d{2}\b(?![ .-]?\d)"
_AS_IBAN = (
    r"\b[A-Z]{2}\d{2}(?:[ .-]?(?=[A-Z]{4}\b|[A-Z]{0,3}\d)[A-Z0-9]{4}){3,7}"
    r"(?:[ .-]?(?=[A-Z]{0,2}\d)[A-Z0-9]{1,3}\b)?"
)
#: Insurance and identity numbers of Switzerland, Britain, the United States, Ireland, Germany and
#: Luxembourg.
_IDENTITY = (
    r"\b756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}\b"
    r"|\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b"
    r"|\b\d{3}-\d{2}-\d{4}\b|\b\d{7}[A-W][A-IW]?\b|\b\d{2} ?\d{6} ?[A-Z] ?\d{3}\b"
    r"|\b(?:19|20)\d{2} ?[01]\d ?[0-3]\d ?\d{3} ?\d{2}\b"
)
#: The formats of identity numbers that end in a check digit.
_CHECKED = r"\b\d{4} ?\d{6}\b|\b\d{2,3}(?:[ .-]?\d{3}){2,3}\d?\b|\b\d{4}[. ]\d{2}[. ]\d{3}\b"
#: Document numbers of capitals and digits: "L01X00T471", "X4RTBPFW4", but not "KAMER1204".
_DOCUMENT = r"(?<![\w-])(?![A-Z]{4,}\d+\b)(?=[A-Z\d]*[A-Z])(?=[A-Z]*\d[A-Z]*\d)[A-Z\d]{8,12}\b"
_CARD = r"\b\d{4}([ -]?)\d{4}\1\d{4}\1\d{1,4}\b|\b\d(?:[ -]?\d){12,18}\b"
_FISCAL = r"\b[A-Z]{3} ?[A-Z]{3} ?\d{2} ?[A-Z] ?\d{2} ?[A-Z] ?\d{3} ?[A-Z]\b"
_PLATES = (
    r"\b[1-9](?:(?i:-?[A-Z]{3}-)|[- ][A-Z]{3}[- ])\d{3}\b|(?<![\w-])[A-Z]{3}-\d{3,4}\b(?!/)"
    r"|\b[A-Z]{2}[- ]?\d{3}[- ]?[A-Z]{2}\b|\b[A-Z]{1,2}-\d{2,3}-[A-Z]{3}\b"
    r"|\b[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} ?\d{2,4}\b|\b[A-Z]{2}\d{2} [A-Z]{3}\b"
    r"|(?<![.:,\w])(?:0[1-9]|[1-7]\d|8[01]) [A-Z]{1,3} \d{2,4}\b|\b[A-Z]{1,2} \d{2,3} [A-Z]{3}\b"
    r"|\b[Α-Ω]{3}[- ]\d{4}\b"
    r"|\b(?:\d{2}-[A-Z]{2,3}-\d{1,2}|[A-Z]{1,2}-\d{2,3}-[A-Z]{1,2}|[A-Z]{2}-[A-Z]{2}-\d{2})\b"
)
#: Formats in order of precedence, the more specific first.
FORMS = (
    _Form("e-mail", re.compile(_MAIL)),
    _Form("url", re.compile(_URL, re.IGNORECASE)),
    _Form("iban", re.compile(r"\b[A-Z]{2}\d{2}(?:[ .-]?[A-Z0-9]){11,30}\b", re.IGNORECASE), _iban),
    _Form("iban", re.compile(_AS_IBAN, re.IGNORECASE)),
    _Form("belastingnummer", re.compile(_FISCAL, re.IGNORECASE)),
    _Form("rijksregisternummer", re.compile(_NATIONAL), _if(nn.is_valid)),
    _Form("rijksregisternummer", re.compile(_AS_NATIONAL)),
    _Form("identiteitskaart", re.compile(r"\b\d{3}-\d{7}-\d{2}\b"), _if(eid.is_valid)),
    _Form("verzekerdennummer", re.compile(r"\b\d{3}[-/]\d{7}-\d{2}\b")),
    _Form("verzekerdennummer", re.compile(r"\b[12](?:\s?\d){14}\b"), _if(nir.is_valid)),
    _Form("kaartnummer", re.compile(_CARD), _if(_card)),
    _Form("ip-adres", re.compile(_IP, re.IGNORECASE), _if(_ip)),
    _Form("nummerplaat", re.compile(_PLATES)),
    _Form("nummer", re.compile(_IDENTITY)),
    _Form("paspoort", re.compile(r"\b[A-ZΑ-Ω]{2} ?\d{6,7}\b|\b[A-Z]{2}\d{5}[A-Z]{2}\b")),
    _Form("nummer", re.compile(_DOCUMENT)),
    _Form("nummer", re.compile(r"(?<![\w.,])\d(?:[ .-]\d){7,}(?![.,]?\d)")),
)  # fmt: skip
#: Formats of long numbers, which are tried after telephone numbers.
LONG = (
    _Form("nummer", re.compile(_CHECKED), _if(_identity)),
    _Form("nummer", re.compile(r"(?<![\w.,])[A-Z]{0,3}\d{9,}\b", re.IGNORECASE)),
    _Form(
        "nummer",
        re.compile(
            r"(?<![\w.,])(?<!\d )(?:[A-Z] ?)?\d{3}([ .-])\d{3}\1(?!000)\d{3}\b(?![.,]?\d| \d)"
        ),
    ),
)


@dataclass(frozen=True)
class Own:
    """The hospital's own data, which is not redacted."""

    #: Its telephone numbers and streets, as written.
    numbers: Collection[str] = ()
    streets: Collection[str] = ()
    #: Domains of its sites and mailboxes.
    domains: Collection[str] = ()
    #: Finds its doctors, places and other hospitals in tokens.
    named: Callable[[Sequence[Token]], Iterable[OwnName]] = field(default=lambda words: ())
    country: str = ""


class Redactor:
    """Removes personal data from texts. Immutable."""

    def __init__(
        self,
        rows: Iterable[Mapping[str, Any]] = (),
        own: Own = Own(),
        is_known: Callable[[str, str], bool] = lambda word, language: False,
    ) -> None:
        rows = tuple(rows)
        self._country, self._domains = own.country, tuple(own.domains)
        calls = (phones.likely(text, own.country) for text in own.numbers)
        self._phones = {phone.dialled for call in calls for phone in call}
        self._streets = frozenset(filter(None, map(_bare, own.streets)))
        self._names = PrivateNames(rows, is_known, own.named)
        self._announced = AnnouncedData(rows, self._is_own)

    def redact(self, text: str) -> Redaction:
        """Return the text with personal data replaced by its kind: "[telefoon]"."""
        text = normalise(text)
        cuts = self.cuts(text)
        for start, end, kind in reversed(cuts):
            text = f"{text[:start]}[{kind}]{text[end:]}"
        return Redaction(text, tuple(dict.fromkeys(cut.kind for cut in cuts)))

    def cuts(self, text: str) -> list[Cut]:
        """Return the spans of personal data in a normalised text, in order."""
        cuts: list[Cut] = []
        for cut in self._found(text, cuts):
            if all(cut.end <= other.start or other.end <= cut.start for other in cuts):
                cuts.append(cut)
        return sorted(cuts)

    def _found(self, text: str, taken: Sequence[Cut]) -> Iterator[Cut]:
        """Yield candidates for removal, the most certain first. Names come last, because other data
        beside a name confirms it."""
        yield from self._forms(FORMS, text)
        yield from self._announced.find(text, hospital_now().date())
        for phone in phones.likely(text, self._country):
            # A number that is toll-free in one country may be private in another.
            if not self._is_own(text[phone.start : phone.end], is_call=True):
                yield Cut(phone.start, phone.end, "telefoon")
        yield from self._forms(LONG, text)
        yield from (Cut(*span, "naam") for span in self._names.find(text, taken))

    def _forms(self, forms: Iterable[_Form], text: str) -> Iterator[Cut]:
        for form in forms:
            for found in form.pattern.finditer(text):
                length = form.length(found[0])
                if length and not self._is_own(found[0], is_call=forms is LONG):
                    yield Cut(found.start(), found.start() + length, form.kind)

    def _is_own(self, written: str, *, is_call: bool = False) -> bool:
        """Return whether a text is the hospital's own, or a public telephone number."""
        if any(domain in written.lower() for domain in self._domains):
            return True
        bare = f"{_bare(written)} "
        is_street = any(bare.startswith(f"{own} ") for own in self._streets)
        dialled = phones.dialled(written, self._country)
        return is_street or dialled in self._phones or (is_call and phones.is_public(dialled))


def _bare(text: str) -> str:
    return " ".join(words(text))


def redactor_of(snapshot: Snapshot) -> Redactor:
    """Return a version's redactor; use it through `snapshot.derived(redactor_of)`."""
    profile = snapshot.profile
    things = snapshot.vocabulary.things
    calls = [
        profile.phone,
        profile.emergency_phone,
        profile.helpdesk_phone,
        profile.out_of_hours_phone,
        *(thing.get("phone") for thing in things),
        *(str(row["number"]) for row in snapshot.rows_of(LINES)),
    ]
    rows = [row for kind in KINDS for row in rows_of_kind(snapshot, ROWS, FILE, kind=kind)]
    index, lexicon = snapshot.derived(resolver_index), snapshot.derived(lexicon_of)
    places = [
        name
        for thing in things
        if thing.kind in (Kind.CAMPUS, Kind.HOSPITAL)
        for name in (thing.name, *(alias.text for alias in thing.aliases))
    ]
    places += [
        str(row["text"])
        for row in rows
        if (row["kind"], row["target"]) in ((MARKER, NAME), (AROUND, TOWN))
    ]
    streets = [profile.address.split(",")[0], *(thing.get("street") for thing in things)]
    places += [re.sub(r"\s*\d.*", "", street) for street in streets if street]
    own = Own(
        numbers=calls,
        streets=streets,
        domains=[domain] if (domain := _domain(profile.website)) else [],
        named=partial(_named, index, PhraseBook((name, None) for name in places)),
        country=profile.country,
    )
    return Redactor(rows, own, lambda word, language: _is_known(word, language, index, lexicon))


def _domain(website: str) -> str:
    return (urlsplit(website).hostname or "").removeprefix("www.")


def _named(
    index: ResolverIndex, places: PhraseBook[None], words: Sequence[Token]
) -> Iterator[OwnName]:
    """Yield the names of the hospital's doctors and places; a doctor's surname after another
    first name belongs to somebody else."""
    for found in index.names.find(words):
        is_full = found.confidence >= FULL
        if is_full or (found.confidence > STRANGER and not _has_other_name(words, found.start)):
            yield OwnName(found.start, found.end, is_full)
    for place in places.find([word.folded for word in words]):
        is_one_word = place.end - place.start == 1
        is_surname = is_one_word and people().is_last(words[place.start].folded)
        yield OwnName(place.start, place.end, not is_surname)


def _has_other_name(words: Sequence[Token], at: int) -> bool:
    before = words[at - 1] if at else None
    return before is not None and (
        people().is_first(before.folded)
        or (before.text[0].isupper() and not dictionary.is_common(before.folded))
    )


def _is_known(word: str, language: str, index: ResolverIndex, lexicon: Lexicon) -> bool:
    """Return whether a folded word is a name of the hospital or an ordinary word of a language.

    "Anne" means mother in Turkish and is a first name in Dutch.
    """
    named = index.exact.get(word, ())
    return lexicon.knows(word, language) or any(
        entry.thing.kind is not Kind.DOCTOR and not entry.is_borrowed for entry in named
    )
