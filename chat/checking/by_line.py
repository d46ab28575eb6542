"""Check a model's statement against its cited lines, kind by kind, before it is shown.

To add a kind, write a function of type `Kind` and list it. What only the meaning decides is left to
a verdict (`verdicts`), unless one line explains the statement word by word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import regex

from chat.checking import amounts, likeness
from chat.checking.base import (
    CheckedQuestion,
    CitedClaim,
    Claim,
    Fault,
    Form,
    Line,
    LineKind,
    NumberedEvidence,
)
from chat.checking.knowledge import Knowledge, runs
from chat.checking.unsourced import claimed
from taxonomy.language.dictionary import common, is_word_of, likely_languages
from taxonomy.vocabulary import Kind as Thing
from zol import phones
from zol.text import fold, spaced, word_set, words

__all__ = ["CheckedQuestion", "Judgement", "judged", "replacement"]

Kind: TypeAlias = Callable[[CitedClaim], Fault | None]
NO_LINE = "no line"
#: Minimum words for detecting a statement's language.
TOLD_FROM = 6
#: Lines tried in place of the cited ones, and reach of adjacent lines that may join.
TRIED, REACH = 4, 2
#: Age below which a child's age makes a statement risky.
GROWN_UP = 18.0
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_LINK = re.compile(
    r"(?:https?://|www\.)[^\s<>\"')\]]+"
    r"|(?<![\w@.-])(?:[a-z][\w-]*\.)+(?:be|nl|fr|de|eu|uk|lu|it|ro|gr|tr|ru|cn|com|org|net|info|io|co"
    r"|app|me|site|shop|online|xyz|link|example)(?![\w@])(?:/[^\s<>\"')\]]*)?",
    re.IGNORECASE,
)
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[\dA-Z]{4}){2,7}(?: ?[\dA-Z]{1,4})?\b")
_MARKUP = re.compile(
    r"</?[a-z!][^>]*>?|!\[|\]\(|```|\{\{?[\w ]*\}|\[(?:insert|naam|name|nom|telefoon|number)\b"
    r"|\"(?:statements|lines|text|form)\"\s*:|\[\d+\.\d+|\bthink>",
    re.IGNORECASE,
)
_SCRIPT = regex.compile(r"(?V1)[\p{L}--[\p{Latin}\p{Greek}]]")
_GREEK, _LATIN = regex.compile(r"\p{Greek}{3,}"), regex.compile(r"\p{Latin}{3,}")
_WORD = regex.compile(r"\p{L}+")
_CAPITAL = r"\p{Lu}[\p{L}'’-]+"
_PAIR = regex.compile(rf"(?<![.!?:;»«\"(]\s)(?<!^)(?<![\p{{L}}]){_CAPITAL}(?: {_CAPITAL})+")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result of checking a statement by code."""

    #: The claim with its supporting lines, which may differ from the cited ones.
    claim: Claim
    fault: Fault | None
    #: Whether one line says the same, so that no verdict is needed.
    is_explained: bool = False
    is_risky: bool = False
    needs_verdict: bool = False
    #: Whether a figure is derived or the visitor's, or nothing of the statement is in its lines: it
    #: then requires a supported verdict.
    is_derived: bool = False
    #: Whether it negates and limits as its lines do; if not, no verdict helps.
    is_equal: bool = True


def markup(said: CitedClaim) -> Fault | None:
    """Find reasoning, placeholders, HTML, and Markdown links and images."""
    found = _MARKUP.search(said.claim.text)
    return Fault("markup", found[0]) if found else None


def script(said: CitedClaim) -> Fault | None:
    """Find letters of unsupported scripts, or of another script than the answer's."""
    text = said.claim.text
    if found := _SCRIPT.search(text):
        return Fault("language", f"letter {found[0]}")
    letters = _LATIN if said.language == "el" else _GREEK
    # Names keep the script of their lines.
    foreign = [
        word for word in letters.findall(text) if word[0].islower() or fold(word) not in said.line_words
    ]
    own = (_GREEK if said.language == "el" else _LATIN).findall(text)
    return Fault("language", foreign[0]) if len(foreign) > len(own) else None


def language(said: CitedClaim) -> Fault | None:
    """Find a statement in another language than the answer's."""
    spoken = [word for word in words(said.claim.text) if not word.isdigit()]
    if len(spoken) < TOLD_FROM:
        return None
    likely = likely_languages(spoken)
    return None if said.language in likely else Fault("language", likely[0])


def prompt(said: CitedClaim) -> Fault | None:
    """Find text of our prompts."""
    if said.known.prompts.isdisjoint(runs(words(said.claim.text))):
        return None
    return Fault("prompt", "words of a prompt")


def diagnosis(said: CitedClaim) -> Fault | None:
    """Find a diagnosis or personal instruction that is not in its lines."""
    borne = {
        found.text for text, _ in said.line_texts for found in said.known.diagnoses.find(words(text))
    }
    found = (f for f in said.known.diagnoses.find(said.words) if f.text not in borne)
    return next((Fault("claims", each.text) for each in found), None)


def telephone(said: CitedClaim) -> Fault | None:
    """Find a number of neither its lines, its entities nor the hospital, or of another entity."""
    theirs = [pair for text, _ in said.line_texts for part in text.split(";")
              for pair in _numbers_with_names(part, said.known)]  # fmt: skip
    for phone, named in _numbers_with_names(said.claim.text, said.known):
        if phone in said.known.hospital or phone in said.known.helping:
            continue
        beside = [names for number, names in theirs if number == phone]
        owners = said.known.by_phone.get(phone, frozenset())
        if not beside and owners.isdisjoint(said.named or said.named_in_lines):
            return Fault("contact", f"not in its lines: {phone}")
        if owners and named and owners.union(*beside).isdisjoint(named):
            return Fault("contact", f"another's telephone number: {phone}")
    return None


def _numbers_with_names(text: str, known: Knowledge) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each telephone number with the entities named beside or, of several, before it."""
    found, at = phones.find(text, known.figures.home), 0
    for phone in found:
        beside = text[at : phone.end] if len(found) > 1 else text
        yield phone.dialled, frozenset(known.named(words(beside)))
        at = phone.end


def address(said: CitedClaim) -> Fault | None:
    """Find an e-mail address, link or account that is not in its lines."""
    told = fold(" ".join(text for text, _ in said.line_texts))
    for pattern in (_MAIL, _LINK):
        for found in pattern.findall(said.claim.text):
            written = fold(found).rstrip(".,;:!?/")
            bare = written.split("://")[-1].removeprefix("www.")
            is_own = bool(said.known.host) and bare.split("/", 1)[0] == said.known.host
            if bare not in told and not (is_own and "@" not in bare):
                return Fault("contact", f"not in its lines: {found}")
    accounts = told.replace(" ", "")
    for found in _IBAN.findall(said.claim.text):
        if fold(found).replace(" ", "") not in accounts:
            return Fault("contact", f"not in its lines: {found}")
    return None


def doctors(said: CitedClaim) -> Fault | None:
    """Find a doctor who is not in its lines, or unknown."""
    strange = [key for key in said.named - said.named_in_lines if key.startswith(Thing.DOCTOR)]
    if strange:
        return Fault("names", f"not in its lines: {strange[0]}")
    names = said.known.titled(said.text)
    borne = said.line_words | said.asked_words if names else frozenset()
    borne = borne.union(*map(_words_of, said.named_in_lines))
    borne |= _words_of_places(said)
    unknown = [name for name in names if not borne.issuperset(capitals(name))]
    return Fault("names", f"not in its lines: {unknown[0]}") if unknown else None


def _words_of_places(said: CitedClaim) -> frozenset[str]:
    """Return the words by which it names departments and campuses."""
    books = (said.known.names, said.known.campuses)
    found = (each for book in books for each in book.find(said.words))
    places = (each for each in found if each.meaning.kind != Thing.DOCTOR)
    return frozenset(word for each in places for word in said.words[each.start : each.end])


def capitals(name: str) -> tuple[str, ...]:
    """Return the capitalised words of a name: not "van", not "en"."""
    return tuple(word for part in name.split() if not part[0].islower() for word in words(part))


def departments(said: CitedClaim) -> Fault | None:
    """Find a department that is not in its lines, or unknown.

    In another language than the lines', "emergencies" and "psychiatric" are often ordinary words,
    which only a verdict can tell from names.
    """
    is_read = any(line.language == said.language for line in said.lines)
    named = said.named if is_read else _called_by_name(said)
    ours = {key for key in named if key.startswith(Thing.DEPARTMENT)}
    theirs = {key for key in said.named_in_lines if key.startswith(Thing.DEPARTMENT)}
    asked = set(said.known.named([w for text in said.asked.questions for w in words(text)]))
    strange = ours - theirs - (set() if theirs else asked)
    anywhere = (said.known.named(words(line.full_text)) for line in said.evidence.by_id.values())
    if strange and (theirs or all(each.keys().isdisjoint(strange) for each in anywhere)):
        return Fault("names", f"not in its lines: {min(strange)}")
    names = [found["name"] for found in said.known.places.finditer(said.text)]
    known = said.known.called | said.line_words | said.asked_words if names else frozenset()
    nowhere = [name for name in names if known.isdisjoint(capitals(name))]
    return Fault("names", f"no place here is called {nowhere[0]}") if nowhere else None


def _called_by_name(said: CitedClaim) -> Collection[str]:
    """Return the entities called by their own name: not in "après une anesthésie"."""
    capital = {fold(word) for word in _WORD.findall(said.text) if word[0].isupper()}
    found = said.known.named_by_name(said.words)
    return [key for key, thing in found.items() if not capital.isdisjoint(words(thing.name))]


def campuses(said: CitedClaim) -> Fault | None:
    """Find another campus than in its lines, or, if they name none, in the question."""
    ours = said.campuses_in(said.text)
    theirs = frozenset().union(*(_campuses_of(line, said) for line in said.lines if ours))
    known = theirs or said.campuses_in(*said.asked.questions, *(text for text, _ in said.now))
    told = [spaced(line.text) for line in said.lines]
    keys = {each: spaced(" ".join(_words_of(each))) for each in ours - known}
    strange = [each for each, text in keys.items() if not any(text in line for line in told)]
    return Fault("names", f"not in its lines: {min(strange)}") if strange else None


def _words_of(key: str) -> list[str]:
    """Return the words of an entity's key."""
    return key.partition(":")[2].split("-")


def _campuses_of(line: Line, said: CitedClaim) -> frozenset[str]:
    """Return the campuses of a line: of its text, else its heading, else its page's title."""
    owners = frozenset(owner for owner in line.owners if owner.startswith(Thing.CAMPUS))
    title = said.evidence.source_of(line).citation.title
    levels = (said.campuses_in(text) for text in (line.text, line.above, title))
    return owners | next(filter(None, levels), frozenset())


def strangers(said: CitedClaim) -> Fault | None:
    """Find an unknown name of two capitalised words."""
    for found in _PAIR.findall(said.text):
        parts = words(found)
        unknown = [
            part
            for part in parts
            if part not in said.known.called | said.line_words | said.asked_words
            and not said.known.lexicon.knows(part, said.language)
            and not (said.language == "de" and is_word_of(part, "de"))
        ]
        if len(unknown) > 1 and not common(said.language).issuperset(parts):
            anywhere = (word_set(line.full_text) for line in said.evidence.by_id.values())
            if not frozenset().union(*anywhere).issuperset(unknown):
                return Fault("names", f"nowhere: {found}")
    return None


#: Checks of the wording, independent of lines.
OF_WORDS: tuple[Kind, ...] = (prompt, markup, script, language)
#: Checks against the lines.
OF_LINES: tuple[Kind, ...] = (
    telephone,
    address,
    amounts.dose_is_shown,
    amounts.figures_stand,
    amounts.limits_are_kept,
    amounts.weekdays_stand,
    doctors,
    departments,
    campuses,
    strangers,
    diagnosis,
)


def fault_in(said: CitedClaim, kinds: Iterable[Kind] = OF_LINES) -> Fault | None:
    return next((fault for kind in kinds if (fault := kind(said))), None)


def judged(claim: Claim, evidence: NumberedEvidence, asked: CheckedQuestion, known: Knowledge) -> Judgement:
    """Return the judgement of a claim, with its supporting lines.

    Unknown ids are ignored, and a line that explains the claim better replaces the cited ones.
    """
    asked, lines = asked.answered_by(claim.text), evidence.lines(claim.lines)
    claim = replace(claim, lines=tuple(line.id for line in lines))
    if claim.form in (Form.SHOW, Form.PAGE):
        return Judgement(claim, None if lines else Fault("lines", NO_LINE), bool(lines))
    rest = " ".join(claimed(claim.text, asked, known))
    said = CitedClaim(claim, rest, lines, evidence, asked, known)
    if fault := fault_in(said, OF_WORDS):
        return Judgement(claim, fault)
    if not rest:
        bare = replace(said, claim=replace(claim, lines=()), lines=())
        fault = fault_in(bare, (telephone, address))
        return Judgement(bare.claim, fault, is_explained=fault is None)
    fault = fault_in(said) if lines else Fault("lines", NO_LINE)
    is_explained = fault is None and likeness.is_explained(said)
    if not is_explained and (better := _better(said, fault)):
        said, is_explained = better
        claim, fault = said.claim, None
    harmful = is_risky(said)
    is_equal = is_explained or likeness.is_equal(said, is_risky=harmful)
    return Judgement(
        claim,
        fault,
        is_explained=is_explained,
        is_risky=harmful,
        needs_verdict=fault is None and not is_explained,
        is_derived=fault is None and (not is_equal or _is_in_doubt(said)),
        is_equal=is_equal,
    )


def _is_in_doubt(said: CitedClaim) -> bool:
    is_loose = not any(likeness.leans_on(line, said) for line in said.lines)
    return is_loose or amounts.grounds_of(said).is_derived or amounts.days_are_others(said)


def _better(said: CitedClaim, fault: Fault | None) -> tuple[CitedClaim, bool] | None:
    """Return the statement with a line that supports it better, and whether that explains it."""
    every = said.evidence.by_id.values()
    least = max((likeness.nearness(line, said) for line in said.lines), default=0.0)
    is_lost = bool(fault) or least < likeness.LOST
    scored = ((likeness.nearness(line, said), line) for line in every if line not in said.lines)
    for near, line in sorted(scored, key=lambda each: -each[0])[:TRIED]:
        is_foreign = line.language != said.language
        if near < likeness.BETTER or (is_foreign and (fault is None or not said.figures)):
            continue
        other = _with(said, line)
        if fault_in(other) is None and not amounts.grounds_of(other).is_derived:
            is_explained = likeness.is_explained(other)
            if is_explained or is_lost:
                return other, is_explained
    if fault and said.lines:
        for line in _beside(said):
            other = _with(said, *said.lines, line)
            if fault_in(other) is None and amounts.are_counted_alike(other):
                return other, False
    return None


def _beside(said: CitedClaim) -> Iterator[Line]:
    """Yield the sentences around the cited ones, under the same heading."""
    for line in said.lines:
        around = said.evidence.source_of(line).lines
        at = around.index(line)
        yield from (
            each
            for each in around[max(0, at - REACH) : at + REACH + 1]
            if each.kind is LineKind.SENTENCE is line.kind and each.above == line.above
            and each not in said.lines
        )  # fmt: skip


def _with(said: CitedClaim, *lines: Line) -> CitedClaim:
    claim = replace(said.claim, lines=tuple(line.id for line in lines))
    return CitedClaim(claim, said.text, lines, said.evidence, said.asked, said.known)


def is_risky(said: CitedClaim) -> bool:
    """Return whether a statement could do harm, by rows of staff; a child's only with an age."""
    targets = set(said.known.risky.targets(said.text, said.language))
    is_young = any(
        figure.unit in ("year", "month") and any(age < GROWN_UP for age in figure.numbers)
        for figure in said.figures
    )
    doses = any(figure.unit in said.known.dose_units for figure in said.figures)
    return said.asked.is_risky or doses or bool(targets - ({"child"} if not is_young else set()))


def replacement(
    claim: Claim, evidence: NumberedEvidence, asked: CheckedQuestion, known: Knowledge
) -> tuple[Line, ...]:
    """Return the cited lines that replace a statement, if they match the question; else none."""
    said = CitedClaim(claim, claim.text, evidence.lines(claim.lines), evidence, asked, known)
    return tuple(line for line in said.lines if likeness.shares_subject(line, said))
