"""Whether golden questions can be right: what they refer to must exist, and be enough of it.

A golden question that names a page, a phrase or a doctor that is nowhere would count every answer
as wrong. So the set is held against the pack or the hospital it was written for, text by text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from chat.models import CountryLine
from evaluation.cases import CATEGORIES, Case
from evaluation.metrics.conduct import page
from evaluation.metrics.wording import quotes, says
from evaluation.packs.pages import media_type
from evaluation.packs.records import EntityRecord, Pack
from retrieval.ingestion.read import read
from retrieval.intents import Intent
from retrieval.models import ContentCategory, Document
from taxonomy.models.entities import ENTITY_MODELS
from zol.errors import UnreadableDocument
from zol.languages import LANGUAGES
from zol.models import Hospital
from zol.text import words
from zol.versioned import default_rows

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


Reader = Callable[[], str]
#: Fields of a hospital that an answer may give.
PROFILE = (
    "name", "short_name", "phone", "emergency_phone", "helpdesk_phone", "out_of_hours_phone",
    "website", "address",
)  # fmt: skip


def known_of_pack(pack: Pack) -> Known:
    """Return what a pack knows; no database is asked."""
    profile = pack.profile.fields
    country = profile.get("country") or str(Hospital._meta.get_field("country").default)
    subjects = (row.freeze()["category"] for row in default_rows(ContentCategory, 0))
    lines = (row.freeze() for row in default_rows(CountryLine, 0))
    said = [
        *_texts(profile.get(name) for name in PROFILE),
        *(line["number"] for line in lines if line["country"] == country),
        *(text for entity in pack.entities for text in _entity_texts(entity)),
    ]
    readers = (
        (each.url, partial(_read, pack.originals[each.path], media_type(each.path)))
        for each in pack.pages
    )
    return Known(
        pages=_by_page(readers),
        addresses=frozenset(page(each.fields["url"]) for each in pack.entities),
        taxonomy="\n".join(said),
        subjects=tuple(subjects),
    )


def known_of_hospital(hospital: Hospital) -> Known:
    """Return what the served hospital knows: its rows, and the originals of its pages."""
    lines = CountryLine.objects.filter(country=hospital.country)
    rows = [row for model in ENTITY_MODELS.values() for row in model.objects.all()]
    said = [
        *_texts(getattr(hospital, name) for name in PROFILE),
        *lines.values_list("number", flat=True),
        *(text for row in rows for text in _row_texts(row)),
    ]
    documents = Document.objects.exclude(status=Document.Status.WITHDRAWN)
    readers = (
        (document.url, partial(_read_original, document))
        for document in documents.filter(original__isnull=False).select_related("original")
    )
    return Known(
        pages=_by_page(readers),
        addresses=frozenset(page(row.url) for row in rows),
        taxonomy="\n".join(said),
        subjects=tuple(ContentCategory.objects.values_list("category", flat=True)),
    )


def _by_page(readers: Iterable[tuple[str, Reader]]) -> Mapping[str, tuple[Reader, ...]]:
    found: dict[str, tuple[Reader, ...]] = {}
    for url, reader in readers:
        found[page(url)] = (*found.get(page(url), ()), reader)
    return found


def _read(data: bytes, media: str) -> str:
    """Return the text of a page as ingestion reads it."""
    return "\n".join(block.text for block in read(data, media))


def _read_original(document: Document) -> str:
    original = document.original
    if original is None:
        return ""
    with original.file.open("rb") as file:
        return _read(file.read(), original.media_type)


def _entity_texts(entity: EntityRecord) -> Iterator[str]:
    yield entity.name
    yield f"{entity.fields.get('title', '')} {entity.name}"
    yield from _texts(entity.fields.values())
    yield from (alias.text for alias in entity.aliases)


def _row_texts(row: Any) -> Iterator[str]:
    yield row.name
    yield f"{getattr(row, 'title', '')} {row.name}"
    yield from _texts(getattr(row, field.name) for field in row._meta.concrete_fields)
    yield from (alias.text for alias in row.aliases.all())


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _texts(value)
        elif isinstance(value, str) and value:
            yield value
