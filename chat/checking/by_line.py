"""Check a model's statement against its cited lines before it is shown.

To add a check, write a function of type `Check` and list it. Unless one line explains the statement
word by word, a model's verdict decides about its meaning (`verdicts`).
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

Check: TypeAlias = Callable[[CitedClaim], Fault | None]
NO_LINE = "no line"
#: Minimum words for detecting a statement's language.
LANGUAGE_FROM = 6
#: Lines tried in place of the cited ones, and distance of adjacent lines that may be added.
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
    #: Whether only a supporting verdict allows it: a figure is derived or the visitor's, or nothing
    #: of the statement is in its lines.
    is_derived: bool = False
    #: Whether it has the negations and limits of its lines; a risky one without them is not shown.
    is_equal: bool = True


def markup(cited: CitedClaim) -> Fault | None:
    """Find reasoning, placeholders, HTML, and Markdown links and images."""
    found = _MARKUP.search(cited.claim.text)
    return Fault("markup", found[0]) if found else None


def script(cited: CitedClaim) -> Fault | None:
    """Find letters of a script that no language here has, or too many of the wrong script."""
    text = cited.claim.text
    if found := _SCRIPT.search(text):
        return Fault("language", f"letter {found[0]}")
    letters = _LATIN if cited.language == "el" else _GREEK
    # Names keep the script of their lines.
    foreign = [
        word
        for word in letters.findall(text)
        if word[0].islower() or fold(word) not in cited.line_words
    ]
    own = (_GREEK if cited.language == "el" else _LATIN).findall(text)
    return Fault("language", foreign[0]) if len(foreign) > len(own) else None


def language(cited: CitedClaim) -> Fault | None:
    """Find a statement in another language than the answer's."""
    text = [word for word in words(cited.claim.text) if not word.isdigit()]
    if len(text) < LANGUAGE_FROM:
        return None
    likely = likely_languages(text)
    return None if cited.language in likely else Fault("language", likely[0])


def prompt(cited: CitedClaim) -> Fault | None:
    """Find a run of words from the product's own prompts."""
    if cited.known.prompts.isdisjoint(runs(words(cited.claim.text))):
        return None
    return Fault("prompt", "words of a prompt")


def diagnosis(cited: CitedClaim) -> Fault | None:
    """Find a diagnosis or personal instruction that is not in its lines."""
    find = cited.known.diagnoses.find
    known = {found.text for text, _ in cited.line_texts for found in find(words(text))}
    new = (found for found in find(cited.words) if found.text not in known)
    return next((Fault("claims", each.text) for each in new), None)


def telephone(cited: CitedClaim) -> Fault | None:
    """Find a telephone number that no source has, or that is given as another entity's."""
    theirs = [pair for text, _ in cited.line_texts for part in text.split(";")
              for pair in _numbers_with_names(part, cited.known)]  # fmt: skip
    for phone, named in _numbers_with_names(cited.claim.text, cited.known):
        if phone in cited.known.hospital or phone in cited.known.helping:
            continue
        beside = [names for number, names in theirs if number == phone]
        owners = cited.known.by_phone.get(phone, frozenset())
        if not beside and owners.isdisjoint(cited.named or cited.named_in_lines):
            return Fault("contact", f"not in its lines: {phone}")
        if owners and named and owners.union(*beside).isdisjoint(named):
            return Fault("contact", f"another's telephone number: {phone}")
    return None


def _numbers_with_names(text: str, known: Knowledge) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each telephone number with the entities named before it; a single one with all."""
    found, at = phones.find(text, known.figures.home), 0
    for phone in found:
        beside = text[at : phone.end] if len(found) > 1 else text
        yield phone.dialled, frozenset(known.named(words(beside)))
        at = phone.end


def address(cited: CitedClaim) -> Fault | None:
    """Find an e-mail address, link or account that is not in its lines."""
    lines = fold(" ".join(text for text, _ in cited.line_texts))
    for pattern in (_MAIL, _LINK):
        for found in pattern.findall(cited.claim.text):
            written = fold(found).rstrip(".,;:!?/")
            bare = written.split("://")[-1].removeprefix("www.")
            is_own = bool(cited.known.host) and bare.split("/", 1)[0] == cited.known.host
            if bare not in lines and not (is_own and "@" not in bare):
                return Fault("contact", f"not in its lines: {found}")
    accounts = lines.replace(" ", "")
    for found in _IBAN.findall(cited.claim.text):
        if fold(found).replace(" ", "") not in accounts:
            return Fault("contact", f"not in its lines: {found}")
    return None


def doctors(cited: CitedClaim) -> Fault | None:
    """Find a known doctor whom its lines do not name, or an unknown name after a doctor's title."""
    strange = [key for key in cited.named - cited.named_in_lines if key.startswith(Thing.DOCTOR)]
    if strange:
        return Fault("names", f"not in its lines: {strange[0]}")
    names = cited.known.titled(cited.text)
    known = cited.line_words | cited.asked_words if names else frozenset()
    known = known.union(*map(_words_of, cited.named_in_lines))
    known |= _words_of_places(cited)
    unknown = [name for name in names if not known.issuperset(capitals(name))]
    return Fault("names", f"not in its lines: {unknown[0]}") if unknown else None


def _words_of_places(cited: CitedClaim) -> frozenset[str]:
    """Return the words of a statement that name departments and campuses."""
    books = (cited.known.names, cited.known.campuses)
    found = (each for book in books for each in book.find(cited.words))
    places = (each for each in found if each.meaning.kind != Thing.DOCTOR)
    return frozenset(word for each in places for word in cited.words[each.start : each.end])


def capitals(name: str) -> tuple[str, ...]:
    """Return the capitalised words of a name: not "van", not "en"."""
    return tuple(word for part in name.split() if not part[0].islower() for word in words(part))


def departments(cited: CitedClaim) -> Fault | None:
    """Find a known department that its lines do not name, or an unknown name of one.

    In another language than that of the lines, names such as "emergencies" are often ordinary
    words: there only names with a capital letter count.
    """
    is_read = any(line.language == cited.language for line in cited.lines)
    named = cited.named if is_read else _named_with_capital(cited)
    ours = {key for key in named if key.startswith(Thing.DEPARTMENT)}
    theirs = {key for key in cited.named_in_lines if key.startswith(Thing.DEPARTMENT)}
    asked = set(cited.known.named([w for text in cited.asked.questions for w in words(text)]))
    strange = ours - theirs - (set() if theirs else asked)
    anywhere = (cited.known.named(words(line.full_text)) for line in cited.evidence.by_id.values())
    if strange and (theirs or all(each.keys().isdisjoint(strange) for each in anywhere)):
        return Fault("names", f"not in its lines: {min(strange)}")
    names = [found["name"] for found in cited.known.places.finditer(cited.text)]
    known = cited.known.called | cited.line_words | cited.asked_words if names else frozenset()
    nowhere = [name for name in names if known.isdisjoint(capitals(name))]
    return Fault("names", f"no place here is called {nowhere[0]}") if nowhere else None


def _named_with_capital(cited: CitedClaim) -> Collection[str]:
    """Return the keys of entities that are called by their own name with a capital letter."""
    capital = {fold(word) for word in _WORD.findall(cited.text) if word[0].isupper()}
    found = cited.known.named_by_name(cited.words)
    return [key for key, thing in found.items() if not capital.isdisjoint(words(thing.name))]


def campuses(cited: CitedClaim) -> Fault | None:
    """Find a campus that is not in its lines or, if they name none, not in the question."""
    ours = cited.campuses_in(cited.text)
    theirs = frozenset().union(*(_campuses_of(line, cited) for line in cited.lines if ours))
    known = theirs or cited.campuses_in(*cited.asked.questions, *(text for text, _ in cited.now))
    texts = [spaced(line.text) for line in cited.lines]
    keys = {each: spaced(" ".join(_words_of(each))) for each in ours - known}
    strange = [each for each, name in keys.items() if not any(name in text for text in texts)]
    return Fault("names", f"not in its lines: {min(strange)}") if strange else None


def _words_of(key: str) -> list[str]:
    """Return the words of an entity's key."""
    return key.partition(":")[2].split("-")


def _campuses_of(line: Line, cited: CitedClaim) -> frozenset[str]:
    """Return the campuses in a line's text, else in its heading, else in its page's title."""
    owners = frozenset(owner for owner in line.owners if owner.startswith(Thing.CAMPUS))
    title = cited.evidence.source_of(line).citation.title
    levels = (cited.campuses_in(text) for text in (line.text, line.above, title))
    return owners | next(filter(None, levels), frozenset())


def unknown_names(cited: CitedClaim) -> Fault | None:
    """Find two or more capitalised words in a row that are no known name."""
    for found in _PAIR.findall(cited.text):
        parts = words(found)
        unknown = [
            part
            for part in parts
            if part not in cited.known.called | cited.line_words | cited.asked_words
            and not cited.known.lexicon.knows(part, cited.language)
            and not (cited.language == "de" and is_word_of(part, "de"))
        ]
        if len(unknown) > 1 and not common(cited.language).issuperset(parts):
            anywhere = (word_set(line.full_text) for line in cited.evidence.by_id.values())
            if not frozenset().union(*anywhere).issuperset(unknown):
                return Fault("names", f"nowhere: {found}")
    return None


#: Checks of the wording, independent of lines.
OF_WORDS: tuple[Check, ...] = (prompt, markup, script, language)
#: Checks against the lines.
OF_LINES: tuple[Check, ...] = (
    telephone,
    address,
    amounts.dose_is_shown,
    amounts.figures_stand,
    amounts.limits_are_kept,
    amounts.weekdays_stand,
    doctors,
    departments,
    campuses,
    unknown_names,
    diagnosis,
)


def fault_in(cited: CitedClaim, checks: Iterable[Check] = OF_LINES) -> Fault | None:
    """Return the first fault that checks find."""
    return next((fault for check in checks if (fault := check(cited))), None)


def judged(
    claim: Claim, evidence: NumberedEvidence, asked: CheckedQuestion, known: Knowledge
) -> Judgement:
    """Check a claim against its lines; a line that supports it better replaces those that it cites.

    Unknown ids of lines are ignored.
    """
    asked, lines = asked.answered_by(claim.text), evidence.lines(claim.lines)
    claim = replace(claim, lines=tuple(line.id for line in lines))
    if claim.form in (Form.SHOW, Form.PAGE):
        return Judgement(claim, None if lines else Fault("lines", NO_LINE), bool(lines))
    rest = " ".join(claimed(claim.text, asked, known))
    cited = CitedClaim(claim, rest, lines, evidence, asked, known)
    if fault := fault_in(cited, OF_WORDS):
        return Judgement(claim, fault)
    if not rest:
        bare = replace(cited, claim=replace(claim, lines=()), lines=())
        fault = fault_in(bare, (telephone, address))
        return Judgement(bare.claim, fault, is_explained=fault is None)
    fault = fault_in(cited) if lines else Fault("lines", NO_LINE)
    is_explained = fault is None and likeness.is_explained(cited)
    if not is_explained and (better := _better(cited, fault)):
        cited, is_explained = better
        claim, fault = cited.claim, None
    harmful = is_risky(cited)
    is_equal = is_explained or likeness.is_equal(cited, is_risky=harmful)
    return Judgement(
        claim,
        fault,
        is_explained=is_explained,
        is_risky=harmful,
        needs_verdict=fault is None and not is_explained,
        is_derived=fault is None and (not is_equal or _is_derived(cited)),
        is_equal=is_equal,
    )


def _is_derived(cited: CitedClaim) -> bool:
    is_loose = not any(likeness.overlaps(line, cited) for line in cited.lines)
    return is_loose or amounts.grounds_of(cited).is_derived or amounts.days_are_others(cited)


def _better(cited: CitedClaim, fault: Fault | None) -> tuple[CitedClaim, bool] | None:
    """Return the statement with lines that support it better, and whether one explains it."""
    every = cited.evidence.by_id.values()
    least = max((likeness.nearness(line, cited) for line in cited.lines), default=0.0)
    is_lost = bool(fault) or least < likeness.LOST
    scored = ((likeness.nearness(line, cited), line) for line in every if line not in cited.lines)
    for near, line in sorted(scored, key=lambda each: -each[0])[:TRIED]:
        is_foreign = line.language != cited.language
        if near < likeness.BETTER or (is_foreign and (fault is None or not cited.figures)):
            continue
        other = _with(cited, line)
        if fault_in(other) is None and not amounts.grounds_of(other).is_derived:
            is_explained = likeness.is_explained(other)
            if is_explained or is_lost:
                return other, is_explained
    if fault and cited.lines:
        for line in _adjacent(cited):
            other = _with(cited, *cited.lines, line)
            if fault_in(other) is None and amounts.have_units_of_lines(other):
                return other, False
    return None


def _adjacent(cited: CitedClaim) -> Iterator[Line]:
    """Yield the sentences around the cited ones, under the same heading."""
    for line in cited.lines:
        around = cited.evidence.source_of(line).lines
        at = around.index(line)
        yield from (
            each
            for each in around[max(0, at - REACH) : at + REACH + 1]
            if each.kind is LineKind.SENTENCE is line.kind and each.above == line.above
            and each not in cited.lines
        )  # fmt: skip


def _with(cited: CitedClaim, *lines: Line) -> CitedClaim:
    claim = replace(cited.claim, lines=tuple(line.id for line in lines))
    return CitedClaim(claim, cited.text, lines, cited.evidence, cited.asked, cited.known)


def is_risky(cited: CitedClaim) -> bool:
    """Return whether a statement could do harm: it has a risky phrase, a dose or a child's age, or
    answers a request for advice. A word such as "child" is not risky by itself."""
    targets = set(cited.known.risky.targets(cited.text, cited.language))
    is_young = any(
        figure.unit in ("year", "month") and any(age < GROWN_UP for age in figure.numbers)
        for figure in cited.figures
    )
    doses = any(figure.unit in cited.known.dose_units for figure in cited.figures)
    return cited.asked.is_risky or doses or bool(targets - ({"child"} if not is_young else set()))


def replacement(
    claim: Claim, evidence: NumberedEvidence, asked: CheckedQuestion, known: Knowledge
) -> tuple[Line, ...]:
    """Return the cited lines that replace a statement, if they match the question; else none."""
    cited = CitedClaim(claim, claim.text, evidence.lines(claim.lines), evidence, asked, known)
    return tuple(line for line in cited.lines if likeness.shares_subject(line, cited))
