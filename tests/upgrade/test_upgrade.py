"""A hospital that began with an earlier release goes on with this one."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from chat import services
from chat.models import PassageTranslation
from chat.sources.records import Translations, sections
from chat.turn import Turn
from retrieval.ingestion import process
from retrieval.models import Chunk, Document
from retrieval.selectors import rest_of
from taxonomy.models import LivePointer
from taxonomy.packs.findings import Change
from taxonomy.packs.folder import load_pack, read_pack
from tests.answering import ingest, mini_hospital
from tests.builders import passage, source
from tests.conftest import let_turns_end
from tests.databases import drop, leading_to
from tests.packs import MINI
from tests.retrieval.ingestion.trees import HTML, Page
from tests.upgrade.dumps import FOLDER, copied, fill
from zol.tenancy import serving

pytestmark = pytest.mark.slow

VISIT = "https://www.azm-mini.example/praktisch/bezoek"


@pytest.fixture(scope="module")
def migrated(django_db_setup, django_db_blocker):
    """Return the database that a dump became with this release: each dump is migrated once."""
    made = {}

    def of(dump):
        if dump not in made:
            name = f"zol_upgraded_{len(made)}"
            fill(name, dump)
            with leading_to(name):
                with override_settings(DEFAULTS_WITH_MIGRATE=True):
                    call_command("migrate", verbosity=0)
                call_command("reindex", outdated=True, verbosity=0)
            made[dump] = name
        return made[dump]

    yield of
    with django_db_blocker.unblock():
        for name in made.values():
            drop(name)


@pytest.fixture(params=sorted(FOLDER.glob("*.sql.gz")), ids=lambda dump: dump.name)
def upgraded(request, migrated, django_db_blocker):
    with django_db_blocker.unblock(), copied(migrated(request.param)):
        hospital = mini_hospital()
        with serving(hospital):
            yield hospital
        let_turns_end()


def test_its_version_is_still_live_and_its_page_still_answers(upgraded):
    context = services.take_turn(Turn("Wat zijn de bezoekuren op B3?")).context

    assert LivePointer.objects.get().version.number == 1
    assert "15:00-19:30" in context.answer
    assert [each.url for each in context.citations] == [VISIT]


def test_the_pack_that_the_earlier_release_loaded_loads_again_without_a_change(upgraded):
    _hospital, changes = load_pack(read_pack(MINI), dry_run=True)

    assert changes.of("relation", Change.UNCHANGED)
    assert changes.total == 0, list(changes.lines())


#: Pages, and how many of their chunks are edited, translated and put in a category by hand.
SOME = pytest.param((301,), 8, 8, 4, id="some")
ALL = pytest.param(
    range(300, 312), 50, 50, 20, id="all", marks=[pytest.mark.soak, pytest.mark.alone]
)


@pytest.mark.parametrize("upgraded", [FOLDER / "1.1.0.sql.gz"], indirect=True, ids=["1.1.0"])
@pytest.mark.parametrize(("seeds", "edits", "translations", "categories"), [SOME, ALL])
def test_what_staff_did_to_chunks_holds_once_every_page_is_processed(
    upgraded, seeds, edits, translations, categories
):
    pages = as_1_1_0_left_them(upgraded, seeds)
    chunks = iter(Chunk.objects.filter(document__in=pages).order_by("document__path", "ordinal"))
    edited = {
        each.pk: f"Bel eerst 011 00 10 00.\n{each.content}"
        for each, _ in zip(chunks, range(edits), strict=False)
    }
    for pk, text in edited.items():
        Chunk.objects.filter(pk=pk).update(content=text, is_edited=True)
    chosen = [each.pk for each, _ in zip(chunks, range(categories), strict=False)]
    Chunk.objects.filter(pk__in=chosen).update(category="emergency", category_fixed=True)
    told = [
        PassageTranslation.objects.create(
            hospital=upgraded, page=each.document.path, language="en",
            source=(section := next(sections(each.content))).body, text=section.body,
        )
        for each, _ in zip(chunks, range(translations), strict=False)
    ]  # fmt: skip
    assert (len(edited), len(chosen), len(told)) == (edits, categories, translations)

    ingest(upgraded, pk__in=[page.pk for page in pages])

    kept = Chunk.objects.in_bulk(edited)
    assert {pk: row.content for pk, row in kept.items()} == edited
    assert not Chunk.objects.filter(source_changed=True).exists()
    held = Chunk.objects.filter(pk__in=chosen, category="emergency", category_fixed=True)
    assert held.count() == categories
    read = [each for page in pages for each in read_of(page)]
    known = Translations(row.record for row in told)
    assert sum(len(known.lines(each, "en")) > 0 for each in read) >= translations
    assert all(any(place.path for place in each.placed) for each in read if each.section)
    for page in pages:
        page.refresh_from_db()
        assert not process.is_outdated(page)


def as_1_1_0_left_them(hospital, seeds):
    """Have pages in the database as 1.1.0 cut them: the same text, and nothing beside it."""
    pages = []
    for seed in seeds:
        page = Page(seed, HTML)
        original = process.keep_original(hospital.pk, page.data, HTML)
        values = {"path": f"{seed}.html", "title": page.title, "original": original}
        pages.append(Document.objects.create(hospital=hospital, **values))
    ingest(hospital, pk__in=[page.pk for page in pages])
    Chunk.objects.filter(document__in=pages).update(fields={})
    for page in pages:
        page.refresh_from_db()
        page.content_hash = process.hash_of(page, process.FIRST)
        page.save(update_fields=["content_hash"])
        assert process.is_outdated(page)
    return pages


def read_of(page):
    """Return a page's chunks as an answer reads them."""
    return rest_of([passage(source=source(document_id=page.pk))])


@pytest.mark.parametrize("upgraded", [FOLDER / "1.1.0.sql.gz"], indirect=True, ids=["1.1.0"])
def test_a_process_of_1_1_0_writes_chunks_and_they_are_read(upgraded):
    page = Document.objects.order_by("pk").first()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO retrieval_chunk (hospital_id, document_id, ordinal, content, context,"
            " questions, section, page, tokens, category, category_evidence, category_fixed,"
            " entity_kinds, is_enabled, is_edited, source_changed, source_hash) VALUES"
            " (%s, %s, 900, %s, '', '{}', 'Campus Noord', 0, 9, 'general', '{}', false, '{}',"
            " true, false, false, '')",
            [upgraded.pk, page.pk, "Kort.\n## Tarieven\n| Dag | Prijs\nmaandag | € 3"],
        )

    (written,) = (each for each in read_of(page) if each.ordinal == 900)

    assert [(place.path, place.heads) for _, place in written.lines] == [
        (("Campus Noord",), ()),
        (("Tarieven",), ()),
        (("Tarieven",), ("Dag", "Prijs")),
        (("Tarieven",), ("Dag", "Prijs")),
    ]
