"""SNOMED CT terms lead to entities where the hospital has no word of its own."""

import pytest
from django.db import connection

from chat.question.rewrite import enrich
from taxonomy.models import LivePointer
from taxonomy.publishing import live as selectors
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.versions import publish
from taxonomy.resolvers import resolve, resolver_index
from taxonomy.vocabulary import Kind, Predicate
from tests.factories import entity, relate
from tests.taxonomy.snomed.releases import (
    FEVER,
    MOUNTAIN,
    NL,
    PHOTO,
    RINSE,
    copy_of_sample,
    load,
    replace,
)
from zol.models import Hospital

pytestmark = pytest.mark.django_db


@pytest.fixture
def stamped(hospital):
    """A hospital whose things have codes and plain names of their own."""
    department = entity(hospital, Kind.DEPARTMENT, "Infectieziekten")
    fever = entity(hospital, Kind.CONDITION, "Zonnekoorts", snomed=str(FEVER))
    entity(hospital, Kind.TREATMENT, "Spoeldrank", snomed=str(RINSE))
    entity(hospital, Kind.EXAMINATION, "Vlekkenopname", snomed=str(PHOTO))
    relate(department, Predicate.HANDLES, fever)
    return hospital


def live():
    """Return what is live; the first question publishes what the test has made."""
    if not LivePointer.objects.exists():
        publish(Hospital.objects.get(), by=None)
    return live_snapshot()


def found(question, language="nl"):
    matches = resolve(question, live().derived(resolver_index), language)
    return {match.thing.name: match.by for match in matches}


class TestWithoutARelease:
    def test_nothing_is_found_and_nothing_asked(self, stamped, django_assert_num_queries):
        publish(stamped, by=None)
        live_snapshot()
        selectors._pointers.clear()

        with django_assert_num_queries(1):
            live_snapshot()

        assert found("kwintelkoorts") == {}
        assert len(live_snapshot().terminology) == 0


class TestWithARelease:
    @pytest.fixture(autouse=True)
    def _loaded(self, stamped):
        load()

    @pytest.mark.parametrize(
        ("question", "language", "named", "by"),
        [
            pytest.param(
                "ik heb febris quintella", "nl", "Zonnekoorts", "condition", id="a synonym"
            ),
            pytest.param("fièvre quintelle", "fr", "Zonnekoorts", "condition", id="in French"),
            pytest.param(
                "heb ik toppenkwint?", "nl", "Zonnekoorts", "condition", id="two steps down"
            ),
            pytest.param("een kwintelspoeling", "nl", "Spoeldrank", "treatment", id="a treatment"),
        ],
    )
    def test_its_words_name_our_things(self, question, language, named, by):
        assert found(question, language)[named] == by

    def test_the_department_follows_from_the_condition(self):
        assert found("kwintelhitte")["Infectieziekten"] == "department_from_condition"

    @pytest.mark.parametrize(
        "question",
        [
            pytest.param("sneeuwkwint", id="a word that the language does not accept"),
            pytest.param("kwintelbevinding", id="a broader concept"),
            pytest.param("mirrelvlekken", id="a concept that nothing here is"),
            pytest.param("oude kwint", id="a retired concept"),
        ],
    )
    def test_what_leads_nowhere(self, question):
        assert found(question) == {}

    def test_our_own_word_wins(self, stamped):
        entity(stamped, Kind.CONDITION, "Hoogtekwint", "toppenkwint")

        assert "Zonnekoorts" not in found("toppenkwint")
        assert "Hoogtekwint" in found("toppenkwint")

    def test_the_nearest_of_our_concepts_is_meant(self, stamped):
        entity(stamped, Kind.CONDITION, "Bergziekte", snomed=str(MOUNTAIN))

        assert set(found("toppenkwint")) == {"Bergziekte"}

    def test_two_things_of_one_concept_are_both_said(self, stamped):
        entity(stamped, Kind.CONDITION, "Kinderkoorts", snomed=str(FEVER))

        index = live().derived(resolver_index)
        (match,) = [
            m for m in resolve("kwintelhitte", index, "nl") if m.thing.kind is Kind.CONDITION
        ]

        assert match.is_ambiguous

    def test_a_new_release_counts_at_once_without_another_publication(self, tmp_path):
        assert found("kwartelhitte") == {}

        release = copy_of_sample(tmp_path)
        replace(release, NL, 11, "kwintelhitte", "kwartelhitte")
        load(release)
        selectors._pointers.clear()

        assert "Zonnekoorts" in found("kwartelhitte")
        assert found("kwintelhitte") == {}

    def test_the_search_is_enriched_with_synonyms_and_broader_names(self, stamped):
        entity(stamped, Kind.CONDITION, "Bergziekte", snomed=str(MOUNTAIN))
        snapshot = live()
        matches = resolve("toppenkwint", snapshot.derived(resolver_index), "nl")

        words = snapshot.terminology.words_for
        query = enrich("toppenkwint", matches, snapshot.vocabulary, words).query

        assert query.startswith("toppenkwint (Bergziekte, ")
        assert "bergkwintelkoorts" in query
        assert "Zonnekoorts" in query

    def test_the_application_may_not_write_what_all_hospitals_share(self):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT table_name FROM information_schema.role_table_grants WHERE grantee = 'zol_app'"
                " AND table_name LIKE 'taxonomy\\_snomed%%' AND privilege_type <> 'SELECT'"
            )
            writable = {row[0] for row in cursor.fetchall()}

        assert writable == {"taxonomy_snomedproposal", "taxonomy_snomedchange"}
