"""Personal data taken out of a question, before anything is stored, logged, cached or sent.

Numbers are recognised by their form and, where they have one, by their check digits; names, dates
of birth, addresses and customer numbers by the words that announce them, which are rows. Numbers
of the hospital itself are spared: a patient may ask whether they are right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from chat.safety import numbers
from chat.safety.announced import Announced
from taxonomy.kinds import Kind
from taxonomy.lexicon import Lexicon, lexicon_of
from taxonomy.resolvers import ResolverIndex, resolver_index
from taxonomy.snapshot import Snapshot
from taxonomy.tokens import normalise

ROWS = "chat.cue"


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without personal data, and which sorts were taken out."""

    text: str
    kinds: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.kinds)


@dataclass(frozen=True, slots=True)
class _Form:
    """A sort of personal data that its form gives away."""

    kind: str
    pattern: re.Pattern[str]
    #: What of a text is really one: all or nothing, or the beginning that is.
    is_valid: Callable[[str], bool | str] = lambda text: True


_IP = r"\b(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b"
_IBAN = r"\b[A-Z]{2}\d{2}(?:[ .-]?[A-Z0-9]){11,30}\b"
#: What stands between the digits of a number: blanks of three widths, dots, strokes and dashes.
_APART = r"[ \u00a0\u202f./()·–—-]"
PHONE = rf"(?<!\d[./-])(?<![\w/])(?:(?:\+|00)\d{{2}}|0)(?:{_APART}{{0,2}}\d){{7,11}}(?!\w)"
_NATIONAL = r"\b\d{2}[. /]?\d{2}[. /]?\d{2}[- ./–]?\d{3}[. /–-]?\d{2}\b"
_EMAIL = r"[\w.+-]+\s?(?:@|\[at\]|\(at\)|\(@\))\s?[\w-]+(?:\.[\w-]+)+"
#: A full date of a year in which those who ask were born.
_BORN = r"\b(?:\d{1,2}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?(?:19\d\d|200\d)|(?:19\d\d|200\d)-\d\d-\d\d)\b"
_FISCAL = r"\b[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]\b"
#: In order: what could be taken for something else comes after that.
FORMS = (
    _Form("e-mail", re.compile(_EMAIL, re.IGNORECASE)),
    _Form("url", re.compile(r"\b(?:https?://|www\.)\S+", re.IGNORECASE)),
    _Form("iban", re.compile(_IBAN, re.IGNORECASE), numbers.iban_in),
    # Written as only these are, with a slip of the pen in its digits.
    _Form("iban", re.compile(r"\b[A-Z]{2}\d{2}(?:[ .-]\d{4}){3,5}\b", re.IGNORECASE)),
    _Form("belastingnummer", re.compile(_FISCAL, re.IGNORECASE)),
    _Form(
        "rijksregisternummer",
        re.compile(_NATIONAL),
        numbers.may_be_national_number,
    ),
    _Form("identiteitsnummer", re.compile(r"\b[1-9]\d{12}\b"), numbers.is_romanian_identity),
    _Form("identiteitsnummer", re.compile(r"\b\d{11}\b"), numbers.is_turkish_identity),
    _Form("identiteitsnummer", re.compile(r"\b\d{11}\b"), numbers.is_greek_insurance),
    _Form("kaartnummer", re.compile(r"\b\d(?:[ -]?\d){12,18}\b"), numbers.is_card),
    _Form("ip-adres", re.compile(_IP, re.IGNORECASE), numbers.is_ip),
    _Form("geboortedatum", re.compile(_BORN)),
    _Form("telefoon", re.compile(PHONE), numbers.is_phone),
    _Form("nummerplaat", re.compile(r"\b[1-9]-[A-Z]{3}-\d{3}\b|\b[A-Z]{3}-\d{3}\b", re.IGNORECASE)),
    _Form("paspoort", re.compile(r"\b[A-Z]{2}\d{6}\b")),
    _Form("identiteitskaart", re.compile(r"\b\d{3}-\d{7}-\d{2}\b"), numbers.is_identity_card),
)  # fmt: skip


class Redactor:
    """Takes personal data out of texts. Immutable once built."""

    def __init__(
        self,
        rows: Iterable[Mapping[str, Any]] = (),
        *,
        own: Iterable[str] = (),
        is_known: Callable[[str, str], bool] = lambda word, language: False,
    ) -> None:
        #: Digits of what belongs to the hospital itself.
        self._own = frozenset(filter(None, map(numbers.digits, own)))
        self._announced = Announced(rows, is_known, self._is_own)

    def redact(self, text: str) -> Redaction:
        """Return the text with personal data replaced by what it was: "[telefoon]"."""
        text = normalise(text)
        kinds: list[str] = []
        for form in FORMS:
            text = form.pattern.sub(partial(self._replace, form, kinds), text)
        text, announced = self._announced.redact(text)
        return Redaction(text, tuple(dict.fromkeys([*kinds, *announced])))

    def _is_own(self, number: str) -> bool:
        return numbers.digits(number) in self._own

    def _replace(self, form: _Form, kinds: list[str], found: re.Match[str]) -> str:
        valid = form.is_valid(found[0])
        if self._is_own(found[0]) or not valid:
            return found[0]
        kinds.append(form.kind)
        return f"[{form.kind}]" + (found[0][len(valid) :] if isinstance(valid, str) else "")


def redactor_of(snapshot: Snapshot) -> Redactor:
    """Return a version's redactor; use it through `snapshot.derived(redactor_of)`."""
    profile = snapshot.profile
    own = [
        profile.phone,
        profile.emergency_phone,
        profile.helpdesk_phone,
        profile.out_of_hours_phone,
    ]
    own += [thing.get("phone") for thing in snapshot.vocabulary.things]
    index, lexicon = snapshot.derived(resolver_index), snapshot.derived(lexicon_of)
    return Redactor(
        snapshot.rows_of(ROWS),
        own=own,
        is_known=lambda word, language: _is_known(word, language, index, lexicon),
    )


def _is_known(word: str, language: str, index: ResolverIndex, lexicon: Lexicon) -> bool:
    """Tell whether a folded word says something about the hospital or is ordinary in a language.

    "Anne" is a mother in Turkish, and somebody's name in Dutch.
    """
    named = index.exact.get(word, ())
    return lexicon.knows(word, language) or any(
        entry.thing.kind is not Kind.DOCTOR and not entry.is_borrowed for entry in named
    )
