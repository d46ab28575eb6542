"""Whether golden questions can be right: what they refer to must exist, and be enough of it.

A golden question that names a page, a phrase or a doctor that is nowhere would count every answer
as wrong. So the set is held against the pack or the hospital it was written for, text by text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from evaluation.cases import CATEGORIES, Case
from evaluation.metrics.sources import page
from evaluation.metrics.wording import quotes, says
from retrieval.intents import Intent
from zol.errors import UnreadableDocument
from zol.languages import LANGUAGES
from zol.text import words

#: How many there must be at least (decision D12).
LEAST, LEAST_OF_CATEGORY, LEAST_OF_LANGUAGE = 320, 3, 12


@dataclass(frozen=True, slots=True)
class Asked:
    """A golden question, and where it stands."""

    case: Case
    place: str


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to refer to."""

    #: How to read the text of a page, by the page; two pages may share an address.
    pages: Mapping[str, tuple[Callable[[], str], ...]] = field(default_factory=dict)
    #: Addresses of entities, some of which are no pages.
    addresses: frozenset[str] = frozenset()
    #: All that the taxonomy and the hospital's profile say, a line for each value.
    taxonomy: str = ""
    #: The subjects that passages are sorted by.
    subjects: tuple[str, ...] = ()
    _texts: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    def has(self, url: str) -> bool:
        return page(url) in self.pages or page(url) in self.addresses

    def text(self, url: str) -> str:
        """Return the text of a page, read once."""
        address = page(url)
        if address not in self._texts:
            readers = self.pages.get(address, ())
            self._texts[address] = "\n".join(read() for read in readers)
        return self._texts[address]


def mistakes(asked: Iterable[Asked], known: Known) -> Iterator[str]:
    """Give what is wrong with single questions, each with its place."""
    for each in asked:
        for check in (_names, _sources, _passages, _entities):
            try:
                yield from (f"{each.place}: {text}" for text in check(each.case, known))
            except UnreadableDocument as error:
                yield f"{each.place}: a page cannot be read: {error}"


def _names(case: Case, known: Known) -> Iterator[str]:
    allowed = {
        "category": (case.category, CATEGORIES),
        "language": (case.language, tuple(map(str, LANGUAGES))),
        "intent": (case.intent, ("", *map(str, Intent))),
        "content_category": (case.content_category, ("", *known.subjects)),
    }
    for name, (value, values) in allowed.items():
        if value not in values:
            yield f"{name}: “{value}” is none of {', '.join(filter(None, values))}."


def _sources(case: Case, known: Known) -> Iterator[str]:
    for url in case.sources:
        if not known.has(url):
            yield f"sources: there is no page {url}."


def _passages(case: Case, known: Known) -> Iterator[str]:
    for label in case.passages:
        if page(label.url) not in known.pages:
            yield f"passages: there is no page {label.url}."
        elif not quotes(known.text(label.url), label.quote):
            yield f"passages: “{label.quote}” does not stand on {label.url}."


def _entities(case: Case, known: Known) -> Iterator[str]:
    urls = dict.fromkeys((*case.sources, *(label.url for label in case.passages)))
    for entity in case.entities:
        if not says(known.taxonomy, entity) and not any(
            says(known.text(url), entity) for url in urls
        ):
            yield f"entities: “{entity}” stands neither in the taxonomy nor on a source page."


def repetitions(asked: Iterable[Asked]) -> Iterator[str]:
    """Give the ids and the conversations that were given before."""
    keys: dict[str, str] = {}
    texts: dict[tuple[tuple[str, ...], ...], str] = {}
    for each in asked:
        turns = (*(step.question for step in each.case.earlier), each.case.question)
        text = tuple(words(turn) for turn in turns)
        if each.case.key in keys:
            yield f"{each.place}: id: “{each.case.key}” stands already at {keys[each.case.key]}."
        if text in texts:
            yield f"{each.place}: question: “{turns[-1]}” stands already at {texts[text]}."
        keys.setdefault(each.case.key, each.place)
        texts.setdefault(text, each.place)


def shortages(cases: Iterable[Case], place: str) -> Iterator[str]:
    """Give what there is too little of in the whole set."""
    listed = tuple(cases)
    categories, languages = counts(listed)
    if len(listed) < LEAST:
        yield f"{place}: {len(listed)} questions; at least {LEAST} are needed."
    for name, number in categories.items():
        if name in CATEGORIES and number < LEAST_OF_CATEGORY:
            yield f"{place}: category {name} has {number}; at least {LEAST_OF_CATEGORY} are needed."
    for name, number in languages.items():
        if number < LEAST_OF_LANGUAGE:
            yield f"{place}: language {name} has {number}; at least {LEAST_OF_LANGUAGE} are needed."


def counts(cases: Iterable[Case]) -> tuple[Counter[str], Counter[str]]:
    """Return the number of questions per category and per language; what has none is there too."""
    categories = Counter(dict.fromkeys(CATEGORIES, 0))
    languages = Counter(dict.fromkeys(map(str, LANGUAGES), 0))
    for case in cases:
        categories[case.category] += 1
        languages[case.language] += 1
    return categories, languages
