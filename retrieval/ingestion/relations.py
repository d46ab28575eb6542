"""Relate the pages of a hospital: translations, and outdated pages with their successors.

Relations are recomputed at the end of each ingestion run. Staff can override them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter

from django.db import transaction

from retrieval.fields import Scope, unpacked
from retrieval.ingestion.knowledge import current_snapshot
from retrieval.ingestion.outdated import OutdatedFinder, PageText, common_scope
from retrieval.ingestion.store import bump_revision
from retrieval.models import Chunk, Document, Origin
from retrieval.scope import scope_of
from taxonomy.language.lexicon import lexicon_of
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.vocabulary import Kind, Predicate, Thing
from zol import phones
from zol.tenancy import required_hospital_id
from zol.text import words

FIELDS = ["replaced_by", "replaced_because", "translation_of", "translation_from"]
RELATED = attrgetter(*FIELDS)


@transaction.atomic
def relate_pages() -> None:
    """Recompute the relations between the searchable pages of the served hospital."""
    ready = Document.objects.filter(status=Document.Status.READY)
    pages = list(ready.order_by("position", "pk"))
    before = list(map(RELATED, pages))
    _join_translations(pages)
    _propose(pages)
    changed = [page for page, old in zip(pages, before, strict=True) if RELATED(page) != old]
    Document.objects.bulk_update(changed, FIELDS)
    if changed:
        bump_revision(required_hospital_id())


@transaction.atomic
def keep(documents: Sequence[Document]) -> None:
    """Mark pages as current, so that their proposed successors are not proposed again."""
    for page in documents:
        if page.replaced_by:
            page.kept_beside = [*page.kept_beside, page.replaced_by]
            page.replaced_by = page.replaced_because = ""
            page.save(update_fields=["kept_beside", "replaced_by", "replaced_because"])
    bump_revision(required_hospital_id())


def _join_translations(pages: Sequence[Document]) -> None:
    """Mark pages that link to each other as translations; the first in staff order is the
    original."""
    by_url = {page.url.rstrip("/"): page for page in pages if page.url}
    for page in pages:
        for code, url in page.alternates.items():
            other = by_url.get(url.rstrip("/"))
            if other is None or other.language != code or other.language == page.language:
                continue
            first, second = sorted((page, other), key=lambda each: (each.position, each.pk))
            is_set = second.translation_of and not second.translation_from
            back = other.alternates.get(page.language, "").rstrip("/")
            if back == page.url.rstrip("/") and not is_set:
                second.translation_of = first.translation_of or first.path
                second.translation_from = str(Origin.LINKS)


def _propose(pages: Sequence[Document]) -> None:
    finder = current_snapshot().derived(finder_of)
    pairs = finder.pairs(pages)
    named = {path for pair in pairs for path in pair}
    texts = {each.page.path: each for each in _texts(p for p in pages if p.path in named)}
    pairs = {pair for pair in pairs if texts.keys() >= {*pair}}
    found = finder.find(texts, sorted(pairs))
    for page in pages:
        page.replaced_by, page.replaced_because = found.get(page.path, ("", ""))


def _texts(pages: Iterable[Document]) -> Iterator[PageText]:
    known = {page.pk: page for page in pages}
    chunks = Chunk.objects.filter(document__in=known, is_enabled=True).order_by("ordinal")
    by_document: defaultdict[int, list[tuple[str, list[Scope]]]] = defaultdict(list)
    for document_id, *chunk in chunks.values_list("document_id", "content", "fields"):
        places = unpacked(chunk[0], "", chunk[1])
        by_document[document_id].append((chunk[0], [place.scope for place in places]))
    for pk, found in by_document.items():
        text = "\n".join(text for text, _ in found)
        yield PageText(
            known[pk], text, common_scope(scope for _, scopes in found for scope in scopes)
        )


def finder_of(snapshot: Snapshot) -> OutdatedFinder:
    """Return the finder of outdated pages of a version; use it through `snapshot.derived`."""
    country = snapshot.profile.country
    things = snapshot.vocabulary.things
    named = {
        words(text): f"{thing.kind}:{thing.key}"
        for thing in things
        for text in (thing.name, *(each.text for each in thing.aliases))
    }
    owners = {
        number: thing.key
        for thing in things
        for number in phones.numbers(thing.get("phone"), country)
    }
    located = partial(snapshot.vocabulary.objects, predicate=Predicate.LOCATED_AT)
    places = {
        f"{thing.kind}:{thing.key}": frozenset(
            campus.key for each in _treating(thing, snapshot) for campus in located(each)
        )
        for thing in things
    }
    read, lexicon = snapshot.derived(scope_of), snapshot.derived(lexicon_of)
    return OutdatedFinder(
        read, lexicon, {w: t for w, t in named.items() if w}, owners, places, country
    )


def _treating(thing: Thing, snapshot: Snapshot) -> Iterator[Thing]:
    """Yield the departments that treat or offer an entity; for a department, itself."""
    if thing.kind is Kind.DEPARTMENT:
        yield thing
    yield from snapshot.vocabulary.objects(thing, Predicate.TREATED_BY)
    for predicate in (Predicate.HANDLES, Predicate.OFFERS, Predicate.PERFORMS):
        yield from snapshot.vocabulary.subjects(thing, predicate)
