"""Default rows: one copy shared by all hospitals, with the changes of each hospital."""

import csv
from itertools import islice

import pytest
from django.db import DatabaseError, connections, transaction
from django.utils import translation

from taxonomy.models import ComplaintRoute, RowSet
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing.content import content_of
from taxonomy.publishing.defaults import load_defaults, update_defaults, waiting_defaults
from taxonomy.publishing.versions import publish
from tests import factories
from tests.taxonomy.releases import author
from tests.zol.staff import signed_in
from zol.models import DefaultOverride, DefaultSet, Edit, Hospital, Role
from zol.postgres.roles import APPLICATION_ROLE
from zol.records.versioned import defaulted_models
from zol.tenancy import NOBODY, serving

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("work_at_once")]
ROUTES = ComplaintRoute.row_set()
MODELS = tuple(defaulted_models())
LIST = "/admin/taxonomy/complaintroute/"
#: Rows of a set; some sets have twenty thousand.
MOST = 100
HEADER = "complaint,specialty,weight\n"
SHIPPED = {"ear,ent,1", "knee,orthopaedics,1", "cough,pneumology,1", "rash,dermatology,1"}


def beginning(file, few):
    """Write the first rows of a file to another, and return that."""
    with file.open(encoding="utf-8", newline="") as whole:
        lines = list(islice(csv.reader(whole), 1 + MOST))
    with few.open("w", encoding="utf-8", newline="") as beginning_only:
        csv.writer(beginning_only).writerows(lines)
    return few


@pytest.fixture
def one_connection(db):
    """Let the application share the owner's transaction, in a role of its own, so that it sees
    what the owner loads and all of it is undone after a test."""
    kept = connections["default"]
    connections["default"] = connections["owner"]
    become(APPLICATION_ROLE)
    yield
    become("NONE")
    connections["default"] = kept


def become(role):
    with connections["owner"].cursor() as cursor:
        cursor.execute(f"SET ROLE {role}")


@pytest.fixture
def product(one_connection, tmp_path, monkeypatch):
    """Say what the product's routes of complaints are, as an update of it would.

    Of the other sets it brings the first rows only; tests of packs have a hospital with all.
    """
    for model in MODELS:
        monkeypatch.setattr(
            model, "defaults", beginning(model.defaults, tmp_path / f"{model.row_set()}.csv")
        )

    def ships(*lines):
        file = tmp_path / "routes.csv"
        file.write_text(HEADER + "".join(f"{line}\n" for line in lines), encoding="utf-8")
        monkeypatch.setattr(ComplaintRoute, "defaults", file)
        become("NONE")
        load_defaults()
        become(APPLICATION_ROLE)

    ships(*sorted(SHIPPED))
    return ships


@pytest.fixture
def served(product, hospital):
    return hospital


@pytest.fixture
def other(product):
    return factories.hospital("other")


def route(complaint):
    return ComplaintRoute.objects.get(complaint=complaint)


def routes():
    rows = ComplaintRoute.objects.values_list("complaint", "specialty", "weight")
    return {f"{complaint},{specialty},{weight:g}" for complaint, specialty, weight in rows}


def test_what_nobody_edited_follows_and_what_staff_decided_stays(served, product):
    ComplaintRoute.objects.filter(complaint="knee").update(weight=5)
    ComplaintRoute.objects.filter(complaint="cough").delete()
    ComplaintRoute.objects.create(hospital=served, complaint="toe", specialty="podology")
    product("ear,ent,2")
    product("ear,ent,3", "knee,orthopaedics,2", "cough,pneumology,2", "eye,ophthalmology,1")

    with translation.override("en"):
        release = update_defaults(by=author(served))

    assert routes() == {"ear,ent,3", "knee,orthopaedics,5", "eye,ophthalmology,1", "toe,podology,1"}
    assert release.state == ReleaseState.DRAFT
    assert release.note == (
        "taxonomy.complaintroute: 1 new, 1 changed, 1 withdrawn, 1 edited here and left unchanged"
    )


def test_a_curator_sees_what_newer_rows_bring_and_takes_them(served, product):
    browser = signed_in(served, Role.CURATOR)
    product("ear,ent,3", "eye,ophthalmology,1", "knee,orthopaedics,1", "cough,pneumology,1")

    page = browser.get("/admin/taxonomy/release/defaults/")
    release = browser.post("/admin/taxonomy/release/defaults/", follow=True)

    assert "<del>1.0</del></td><td><ins>3.0</ins>" in page.text
    assert "eye · ophthalmology" in page.text
    assert "Newer default rows of the product" in release.text
    assert {"ear,ent,3", "eye,ophthalmology,1"} < routes()


def test_what_is_as_the_product_comes_is_kept_once_for_all_hospitals(served, other):
    with serving(other):
        ComplaintRoute.objects.filter(complaint="knee").update(weight=5)
        version = publish(other, by=None)
        own = RowSet.objects.exclude(hospital=None)
        assert [(row.row_set, len(row.rows)) for row in own] == [(ROUTES, 4)]
        assert len(content_of(version).rows) == len(MODELS)
    publish(served, by=None)

    assert not RowSet.objects.exclude(hospital=None).exists()
    assert RowSet.objects.count() == len(MODELS)


def test_a_hospital_sees_neither_the_rows_of_another_nor_what_that_overrode(served, other):
    with serving(other):
        ComplaintRoute.objects.create(hospital=other, complaint="secret", specialty="ent")
        route("knee").delete()
        publish(other, by=None)
        assert RowSet.objects.filter(hospital=other).exists()
        assert DefaultOverride.objects.exists()

    assert routes() == SHIPPED
    assert not DefaultOverride.objects.exists()
    assert not RowSet.objects.filter(hospital=other).exists()


def test_nobody_served_sees_no_shared_row(served):
    with serving(NOBODY):
        assert not ComplaintRoute.objects.exists()


def saved(weight):
    def save(_hospital):
        row = route("knee")
        shared, row.weight = row.pk, weight
        row.save()
        assert row.pk != shared

    return save


def created(hospital):
    ComplaintRoute.objects.create(
        hospital=hospital, complaint="knee", specialty="orthopaedics", weight=5
    )


def removed(_hospital):
    assert route("knee").delete() == (1, {"taxonomy.ComplaintRoute": 1})
    assert ComplaintRoute.objects.filter(complaint="ear").delete()[0] == 1


def changed_together(hospital):
    ComplaintRoute.objects.create(hospital=hospital, complaint="toe", specialty="podology")
    assert ComplaintRoute.objects.exclude(complaint="ear").update(weight=2) == 4


REST = SHIPPED - {"knee,orthopaedics,1"}
TOGETHER = {
    "ear,ent,1",
    "toe,podology,2",
    "knee,orthopaedics,2",
    "cough,pneumology,2",
    "rash,dermatology,2",
}


@pytest.mark.parametrize(
    ("do", "found"),
    [
        pytest.param(saved(5), REST | {"knee,orthopaedics,5"}, id="a row edited"),
        pytest.param(created, REST | {"knee,orthopaedics,5"}, id="an own row by its name"),
        pytest.param(removed, REST - {"ear,ent,1"}, id="rows removed"),
        pytest.param(changed_together, TOGETHER, id="shared and own ones changed together"),
    ],
)
def test_what_a_hospital_does_with_shared_rows_is_so_there_only(served, other, do, found):
    do(served)

    assert routes() == found
    with serving(other):
        assert routes() == SHIPPED


def test_the_application_can_neither_change_nor_add_a_shared_row(served):
    with connections["default"].cursor() as cursor:
        cursor.execute("UPDATE taxonomy_complaintroute SET weight = 9")
        assert cursor.rowcount == 0
        cursor.execute("DELETE FROM taxonomy_complaintroute")
        assert cursor.rowcount == 0
        with pytest.raises(DatabaseError, match="row-level security"), transaction.atomic():
            cursor.execute(
                "INSERT INTO taxonomy_complaintroute (complaint, specialty, weight, since) "
                "VALUES ('toe', 'podology', 1, 1)"
            )
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            cursor.execute("UPDATE zol_defaultset SET edition = 9")


def test_every_table_of_default_rows_shows_the_shared_ones_of_its_set(served):
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT tablename, qual FROM pg_policies WHERE policyname = 'found'")
        seen = dict(cursor.fetchall())

    assert [m for m in MODELS if f"'{m.row_set()}'" not in seen.get(m._meta.db_table, "")] == []
    assert [m for m in MODELS if not m.objects.filter(hospital=None).exists()] == []


def test_what_a_hospital_has_is_asked_once_not_for_each_row(served):
    plan = ComplaintRoute.objects.all().explain()

    assert "InitPlan" in plan
    assert "SubPlan" not in plan


def test_loading_what_is_there_makes_no_edition(served):
    before = {*DefaultSet.objects.values_list("row_set", "edition")}
    become("NONE")

    assert load_defaults() == 0
    assert {*DefaultSet.objects.values_list("row_set", "edition")} == before
    assert {edition for _name, edition in before} == {1}


def test_a_hospital_keeps_its_edition_and_a_new_one_has_the_newest(served, product):
    product("ear,ent,3", "eye,ophthalmology,1")
    newer = factories.hospital("newer")

    assert routes() == SHIPPED
    with serving(newer):
        assert routes() == {"ear,ent,3", "eye,ophthalmology,1"}
        assert list(waiting_defaults()) == []


def test_an_edit_is_written_down_and_loading_is_nobodys(served, product):
    product("ear,ent,3")
    assert not Edit.objects.exclude(row_set="zol.hospital").exists()
    # Not even where somebody is served while the owner writes.
    become("NONE")
    toe = ComplaintRoute(complaint="toe", specialty="podology", since=9)
    ComplaintRoute._base_manager.bulk_create([toe])
    ComplaintRoute._base_manager.filter(hospital=None).update(weight=4)
    ComplaintRoute._base_manager.filter(complaint="toe").delete()
    become(APPLICATION_ROLE)
    assert not Edit.objects.filter(row_set=ROUTES).exists()

    route("knee").delete()

    assert Edit.objects.filter(row_set="zol.defaultoverride", action="INSERT").count() == 1


@pytest.mark.parametrize(
    ("done", "shipped", "found"),
    [
        pytest.param(None, ["knee,orthopaedics,2"], (0, 1, 0, 0), id="an unedited row follows"),
        pytest.param("edited", ["knee,orthopaedics,2"], (0, 0, 0, 1), id="an edited one is kept"),
        pytest.param("removed", ["knee,orthopaedics,2"], (0, 0, 0, 0), id="a removed one is gone"),
        pytest.param(None, [], (0, 0, 1, 0), id="what nobody edited is withdrawn"),
        pytest.param("edited", [], (0, 0, 0, 0), id="what was edited is not"),
    ],
)
def test_what_a_newer_edition_brings(served, product, done, shipped, found):
    match done:
        case "edited":
            ComplaintRoute.objects.filter(complaint="knee").update(weight=7)
        case "removed":
            route("knee").delete()
    product("ear,ent,1", "cough,pneumology,1", "rash,dermatology,1", *shipped)

    new = next((new for _model, new in waiting_defaults()), None)

    sorts = [*(item.sort for item in new.section.items), *["kept"] * new.kept.total] if new else []
    assert tuple(map(sorts.count, ("added", "changed", "removed", "kept"))) == found


def test_an_own_row_by_the_name_of_a_new_default_is_kept(served, product):
    ComplaintRoute.objects.create(hospital=served, complaint="eye", specialty="ent", weight=2)
    product(*SHIPPED, "eye,ent,1")

    assert update_defaults(by=author(served)) is None
    assert routes() == SHIPPED | {"eye,ent,2"}


def test_a_hospital_from_before_shared_rows_keeps_its_own(served, product):
    Hospital.objects.filter(pk=served.pk).update(defaults_edition={})
    ComplaintRoute.objects.create(hospital=served, complaint="ear", specialty="ent", weight=9)
    assert routes() == {"ear,ent,9"}

    update_defaults(by=author(served))

    assert routes() == SHIPPED - {"ear,ent,1"} | {"ear,ent,9"}
