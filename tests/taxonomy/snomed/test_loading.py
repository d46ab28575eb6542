"""A release is loaded as a whole or not at all; a mistake is reported with file and line."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from taxonomy.models import (
    SnomedConcept,
    SnomedDescription,
    SnomedIsA,
    SnomedRelationship,
    SnomedRelease,
)
from taxonomy.snomed.files import ReleaseRefused
from taxonomy.snomed.tables import rows_of
from tests.taxonomy.snomed.releases import (
    ALPINE,
    CONCEPT,
    FEVER,
    LANGUAGE,
    MOUNTAIN,
    NL,
    RELATIONSHIP,
    SAMPLE,
    WINTER,
    copy_of_sample,
    file_of,
    load,
    replace,
)

pytestmark = pytest.mark.django_db
TABLES = (SnomedConcept, SnomedDescription, SnomedRelationship, SnomedIsA)


@pytest.fixture
def release(tmp_path):
    return copy_of_sample(tmp_path)


def contents():
    return [sorted(model.objects.values_list()) for model in TABLES]


def refused(folder, **wish):
    with pytest.raises(ReleaseRefused) as refusal:
        load(folder, **wish)
    return refusal.value


class TestWhatIsLoaded:
    def test_all_parts_with_the_closure(self):
        counts = load().counts

        assert counts["concepts"] == SnomedConcept.objects.count() == 12
        assert counts["active concepts"] == 11
        assert counts["descriptions"] == SnomedDescription.objects.count() == 60
        assert counts["active relationships"] == SnomedRelationship.objects.count() == 12
        assert counts["closure"] == SnomedIsA.objects.count()
        ancestors = SnomedIsA.objects.filter(descendant=ALPINE).values_list("ancestor", "distance")
        assert {(MOUNTAIN, 1), (WINTER, 1), (FEVER, 2)} < set(ancestors)

    def test_which_words_are_preferred_and_which_are_not_accepted(self):
        load()

        terms = dict(
            SnomedDescription.objects.filter(concept=WINTER, language="nl", sort="s").values_list(
                "term", "acceptability"
            )
        )
        assert terms["winterkwintelkoorts"] == "p"
        assert terms["sneeuwkwint"] == "n"

    def test_a_release_without_language_reference_sets_and_definitions(self, release):
        for path in [*release.rglob("der2*"), *release.rglob("*TextDefinition*")]:
            path.unlink()

        load(release)

        assert set(SnomedDescription.objects.values_list("acceptability", flat=True)) == {"a"}

    def test_a_term_with_marks_that_a_copy_must_not_read_as_its_own(self, release):
        replace(release, NL, 2, "kwintelbegrip", 'kwint\\N "el" \\t')

        load(release)

        assert SnomedDescription.objects.filter(term__startswith='kwint\\N "el" \\t').exists()


class TestLoadingAgain:
    def test_the_same_release_changes_nothing(self, release):
        first = load()

        assert load(release, edition=first.edition) == first
        assert SnomedRelease.objects.count() == 1

    def test_on_purpose_it_is_loaded_into_tables_that_keep_their_constraints_and_indexes(self):
        def definitions():
            return rows_of(
                "SELECT indexname, indexdef FROM pg_indexes"
                " WHERE tablename LIKE 'taxonomy_snomed%%' ORDER BY indexname"
            )

        before = definitions()
        load()
        loaded = contents()
        again = load(edition="again")

        assert definitions() == before
        assert contents() == loaded
        assert set(again.changes.values()) == {0}

    def test_a_new_release_is_the_only_current_one(self, release):
        load()
        replace(release, NL, 2, "kwintelbegrip", "kwintelzaak")

        load(release)

        assert SnomedRelease.objects.filter(is_current=True).count() == 1
        assert SnomedDescription.objects.filter(term__startswith="kwintelzaak").exists()


class TestLess:
    """A release that takes something away is loaded only on purpose."""

    @pytest.fixture
    def older(self, release):
        for path in [*release.rglob("*20260315*")]:
            path.rename(path.with_name(path.name.replace("20260315", "20250315")))
        return release

    def test_an_older_one_is_refused(self, older):
        load()
        before = contents()

        with pytest.raises(ReleaseRefused, match="of 2025-03-15, the one in use of 2026-03-15"):
            load(older)

        assert contents() == before
        assert SnomedRelease.objects.get().is_current

    def test_on_purpose_it_is_loaded(self, older):
        load()

        load(older, replace_anyway=True)

        assert str(SnomedRelease.objects.get(is_current=True).effective) == "2025-03-15"


BROKEN = [
    pytest.param(CONCEPT, 3, "1029999999104", "abc", "bigint", id="no identifier"),
    pytest.param(CONCEPT, 3, "20260315", "20260231", "date", id="no date"),
    pytest.param(CONCEPT, 3, "\t1\t", "\tmaybe\t", "boolean", id="neither active nor not"),
    pytest.param(CONCEPT, 4, "\t1\t", "\t1\t1\t", "extra data", id="a column more"),
    pytest.param(NL, 5, "\tnl\t", "\tNederlands\t", "language_code", id="no language"),
    pytest.param(NL, 5, "kwintelbevinding", b"kwint\xebl", "UTF8", id="another encoding"),
    pytest.param(NL, 5, "kwintelbevinding", b"kwin\x00tel", "UTF8", id="no text"),
    pytest.param(NL, 4, "kwintelbevinding (voorbeeld)", " ", "term", id="no term"),
    pytest.param(NL, 4, "900000000000003001", "900000000000074008", "type", id="no such type"),
    pytest.param(LANGUAGE, 5, "-", "x", "uuid", id="no member"),
    pytest.param(RELATIONSHIP, 4, "\t0\t", "\tzero\t", "integer", id="no group"),
    pytest.param(RELATIONSHIP, 1, "sourceId", "source", "columns should be", id="other columns"),
]  # fmt: skip


class TestMistakes:
    @pytest.mark.parametrize(("file", "line", "old", "new", "said"), BROKEN)
    def test_a_broken_line_is_named_and_nothing_is_loaded(
        self, release, file, line, old, new, said
    ):
        load()
        before = contents()
        place = replace(release, file, line, old, new)

        refusal = refused(release)

        assert str(refusal).startswith(place)
        assert said in str(refusal)
        assert contents() == before
        assert SnomedRelease.objects.get().is_current

    @pytest.mark.parametrize(
        ("file", "line", "old", "new", "said"),
        [
            pytest.param(NL, 3, "10029999999113", "10019999999118", "is there twice", id="twice"),
            pytest.param(
                NL, 5, "1029999999104", "1009999999108", "no concept of this", id="a word"
            ),
            pytest.param(
                RELATIONSHIP, 4, "1029999999104", "1009999999108", "no concept of", id="a relation"
            ),
            pytest.param(RELATIONSHIP, 2, "1019999999106", str(ALPINE), "in a circle", id="circle"),
        ],
    )
    def test_what_does_not_fit_together_is_refused(self, release, file, line, old, new, said):
        load()
        before = contents()
        replace(release, file, line, old, new)

        assert said in str(refused(release))
        assert contents() == before

    def test_a_file_that_breaks_off(self, release):
        path = file_of(release, NL)
        path.write_bytes(path.read_bytes()[:-30])

        assert f"{path.name}:33: " in str(refused(release))

    @pytest.mark.parametrize(
        ("part", "name"),
        [(CONCEPT, "concepts"), (NL[:-3], "descriptions"), (RELATIONSHIP, "relationships")],
    )
    def test_a_folder_without_one_of_the_parts(self, release, part, name):
        for path in release.rglob(f"{part}*"):
            path.unlink()

        assert f"has no {name}" in str(refused(release))

    def test_a_language_that_the_release_does_not_have(self):
        assert "in de" in str(refused(SAMPLE, languages=frozenset({"de"})))

    def test_a_folder_that_is_not_there(self, tmp_path):
        assert "is no folder" in str(refused(tmp_path / "nowhere"))


class TestCommand:
    def run(self, *arguments):
        said = StringIO()
        call_command("load_snomed", *map(str, arguments), stdout=said)
        return said.getvalue()

    def test_a_refusal_says_that_nothing_was_loaded(self, release):
        replace(release, CONCEPT, 3, "20260315", "2026")

        with pytest.raises(CommandError, match=r":3: .*\nNothing was loaded"):
            self.run(release)

    def test_less_than_what_is_in_use_is_refused_in_words_and_loaded_on_purpose(self):
        said = self.run(SAMPLE, "--edition", "voorbeeld")
        for words in (
            "voorbeeld 2026-03-15 (fr, nl)",
            "12 concepts",
            "peak memory",
            "Reading relat",
        ):
            assert words in said

        with pytest.raises(CommandError, match="--replace-anyway loads it"):
            self.run(SAMPLE, "--language", "nl")

        assert "(nl)" in self.run(SAMPLE, "--language", "nl", "--replace-anyway")
