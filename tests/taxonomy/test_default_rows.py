"""Default rows: what a new hospital is given, and what newer ones bring."""

from __future__ import annotations

import csv
from io import StringIO
from itertools import islice

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from taxonomy.content import content_of
from taxonomy.models import ComplaintRoute, GivenDefaults, PopulationCue, Release, RowSet
from taxonomy.models.releases import ReleaseState
from taxonomy.services.defaults import (
    give_defaults,
    models_with_defaults,
    newer,
    update_defaults,
    waiting_defaults,
)
from taxonomy.services.publishing import publish
from tests import factories
from tests.taxonomy.releases import author
from tests.zol.staff import member, signed_in
from zol.models import Role
from zol.tenancy import serving
from zol.versioned import default_rows

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("work_at_once")]
ROUTES = ComplaintRoute.row_set()
#: Rows of a set; some sets have twenty thousand.
MOST = 100
HEADER = "complaint,specialty,weight\n"


def beginning(file, few):
    """Write the first rows of a file to another, and return that."""
    with file.open(encoding="utf-8", newline="") as whole:
        lines = list(islice(csv.reader(whole), 1 + MOST))
    with few.open("w", encoding="utf-8", newline="") as beginning_only:
        csv.writer(beginning_only).writerows(lines)
    return few


@pytest.fixture
def product(tmp_path, monkeypatch):
    """Say what the product's routes of complaints are, as an update of it would.

    Of the other sets it brings the first rows only; tests of packs have a hospital with all.
    """
    for model in models_with_defaults():
        monkeypatch.setattr(
            model, "defaults", beginning(model.defaults, tmp_path / f"{model.row_set()}.csv")
        )

    def ships(*lines):
        file = tmp_path / "routes.csv"
        file.write_text(HEADER + "".join(f"{line}\n" for line in lines), encoding="utf-8")
        monkeypatch.setattr(ComplaintRoute, "defaults", file)

    ships("ear,ent,1", "knee,orthopaedics,1", "cough,pneumology,1", "rash,dermatology,1")
    return ships


@pytest.fixture
def served(hospital, product):
    with serving(hospital):
        give_defaults(hospital)
        yield hospital


def run(*arguments):
    out = StringIO()
    call_command("update_defaults", *arguments, stdout=out)
    return out.getvalue()


def routes():
    rows = ComplaintRoute.objects.values_list("complaint", "specialty", "weight")
    return {f"{complaint},{specialty},{weight:g}" for complaint, specialty, weight in rows}


def test_a_freshly_loaded_hospital_has_nothing_to_update(served):
    assert list(waiting_defaults()) == []


def test_what_nobody_edited_follows_and_what_staff_decided_stays(served, product):
    ComplaintRoute.objects.filter(complaint="knee").update(weight=5)
    ComplaintRoute.objects.filter(complaint="cough").delete()
    ComplaintRoute.objects.create(hospital=served, complaint="toe", specialty="podology")
    product("ear,ent,3", "knee,orthopaedics,2", "cough,pneumology,2", "eye,ophthalmology,1")

    with translation.override("en"):
        release = update_defaults(by=author(served))

    assert routes() == {"ear,ent,3", "knee,orthopaedics,5", "eye,ophthalmology,1", "toe,podology,1"}
    assert release.state == ReleaseState.DRAFT
    assert release.note == (
        "taxonomy.complaintroute: 1 new, 1 changed, 1 withdrawn, 1 edited here and left alone"
    )


def test_a_second_time_does_nothing(served, product):
    product("ear,ent,3")
    update_defaults(by=author(served))
    ComplaintRoute.objects.all().delete()

    assert update_defaults(by=author(served)) is None
    assert routes() == set()


def test_a_curator_sees_what_newer_rows_bring_and_takes_them(served, product):
    browser = signed_in(served, Role.CURATOR)
    product("ear,ent,3", "eye,ophthalmology,1", "knee,orthopaedics,1", "cough,pneumology,1")

    page = browser.get("/admin/taxonomy/release/defaults/?part=1")
    release = browser.post("/admin/taxonomy/release/defaults/", follow=True)

    assert "weight: 1.0 → 3.0" in page.text
    assert "eye · ophthalmology" in page.text
    assert "Newer default rows of the product" in release.text
    assert {"ear,ent,3", "eye,ophthalmology,1"} < routes()


def test_what_is_as_the_product_comes_is_kept_once_for_all_hospitals(served):
    other = factories.hospital("other")
    with serving(other):
        give_defaults(other)
        ComplaintRoute.objects.filter(complaint="knee").update(weight=5)
        version = publish(other, by=None)
        own = RowSet.objects.exclude(hospital=None)
        assert [(row.row_set, len(row.rows)) for row in own] == [(ROUTES, 4)]
        assert len(content_of(version).rows) == len(models_with_defaults())
    publish(served, by=None)

    assert not RowSet.objects.exclude(hospital=None).exists()
    assert RowSet.objects.count() == len(models_with_defaults())


def test_a_hospital_does_not_see_the_rows_of_another(served):
    other = factories.hospital("other")
    with serving(other):
        ComplaintRoute.objects.create(hospital=other, complaint="secret", specialty="ent")
        publish(other, by=None)
        assert RowSet.objects.filter(hospital=other).exists()

    assert not RowSet.objects.filter(hospital=other).exists()


def test_who_may_not_open_a_release_does_not_see_the_page(served):
    assert (
        signed_in(served, Role.ANALYST).get("/admin/taxonomy/release/defaults/").status_code == 403
    )


def test_rows_whose_past_is_unknown_are_left_alone(served, product):
    GivenDefaults.objects.all().delete()
    product("ear,ent,3")

    assert update_defaults(by=author(served)) is None
    assert "ear,ent,1" in routes()


def test_who_may_not_edit_the_rows_changes_nothing(served, product):
    product("ear,ent,3")
    member(served, Role.ANALYST, username="dora")

    with pytest.raises(CommandError, match=r"Your roles .* Nothing was changed"):
        run("--by", "dora")

    assert "ear,ent,1" in routes()
    assert not Release.objects.filter(state=ReleaseState.DRAFT).exists()


def test_a_dry_run_shows_and_writes_nothing(served, product):
    product("ear,ent,3", "eye,ophthalmology,1", "knee,orthopaedics,1", "cough,pneumology,1")

    said = run("--dry-run")

    assert said.splitlines() == [
        "taxonomy.complaintroute: 1 new, 1 changed, 1 withdrawn, 0 edited here and left alone",
        "  + eye · ophthalmology",
        "  ~ ear · ent: weight: 1.0 → 3.0",
        "  - rash · dermatology",
        "A dry run: nothing was written.",
    ]
    assert "ear,ent,1" in routes()


def test_the_command_opens_a_release_in_the_name_of_who_ran_it(served, product):
    publish(served, by=None)
    product("ear,ent,3", "knee,orthopaedics,1", "cough,pneumology,1", "rash,dermatology,1")
    author(served)

    said = run(ROUTES, "--by", "anna")

    release = Release.objects.get(state=ReleaseState.DRAFT)
    assert f"Release {release.pk} is open" in said
    assert release.created_by.username == "anna"
    assert run("--by", "anna") == "No newer default rows: nothing was written.\n"


def test_only_the_rows_asked_for_are_updated(served, product):
    product("ear,ent,3")

    assert update_defaults(by=author(served), row_sets=[PopulationCue.row_set()]) is None
    assert "ear,ent,1" in routes()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param([], "--by USER, or look with --dry-run", id="nobody"),
        pytest.param(["chat.nothing", "--dry-run"], "no default rows called", id="unknown rows"),
        pytest.param(["--by", "niemand"], "There is no account", id="an unknown account"),
    ],
)
def test_bad_arguments_are_refused_in_words(served, arguments, sentence):
    with pytest.raises(CommandError, match=sentence):
        run(*arguments)


def test_default_rows_are_stored_as_they_were_written(served):
    """So that a row of the database and its line in the file compare as equal."""
    rows = {row.identify(): row.freeze() for row in PopulationCue.objects.all()}

    assert rows == {row.identify(): row.freeze() for row in default_rows(PopulationCue, served.pk)}


OLD = {"text": "bellen", "weight": 1.0}
NEW = {"text": "bellen", "weight": 2.0}
EDITED = {"text": "bellen", "weight": 7.0}


def compared(given, own, today):
    return newer(given, own, today, ("text",))


def test_a_row_that_nobody_edited_follows_its_default():
    found = compared([OLD], [OLD], [NEW])

    assert [(each.now, each.newer) for each in found.changed] == [(OLD, NEW)]
    assert found.changed[0].fields() == (("weight", 1.0, 2.0),)
    assert found.total == 1


def test_a_row_that_was_edited_is_kept_and_said():
    found = compared([OLD], [EDITED], [NEW])

    assert [each.now for each in found.kept] == [EDITED]
    assert found.total == 0


def test_an_edited_row_whose_default_is_the_same_is_not_mentioned():
    assert compared([OLD], [EDITED], [OLD]).kept == ()


def test_a_row_that_staff_removed_does_not_return():
    assert compared([OLD], [], [NEW]).total == 0


def test_a_row_that_is_new_is_added():
    assert compared([], [], [NEW]).added == (NEW,)


def test_a_row_of_staff_by_the_name_of_a_new_default_is_kept():
    found = compared([], [EDITED], [NEW])

    assert (found.total, len(found.kept)) == (0, 1)


def test_a_row_that_already_says_the_newer_thing_is_left():
    assert compared([OLD], [NEW], [NEW]) == compared([], [], [])


@pytest.mark.parametrize(
    ("own", "number"), [pytest.param(OLD, 1, id="unedited"), pytest.param(EDITED, 0, id="edited")]
)
def test_a_default_that_was_withdrawn_goes_unless_it_was_edited(own, number):
    assert len(compared([OLD], [own], []).withdrawn) == number


def test_a_row_of_staff_stays():
    assert compared([OLD], [OLD, {"text": "eigen", "weight": 1.0}], [OLD]).total == 0


def test_a_column_that_is_newer_than_what_was_given_makes_no_row_edited():
    own, today = OLD | {"note": ""}, NEW | {"note": "x"}

    assert [each.now for each in compared([OLD], [own], [today]).changed] == [own]
