"""A request never reads or writes rows of another hospital."""

import pytest
from django.apps import apps
from django.db import DatabaseError, IntegrityError, connection, transaction

from taxonomy.models import Alias, Department, Entity, Relation
from taxonomy.vocabulary import Kind, Predicate
from tests import factories
from zol.tenancy import NOBODY, serving

pytestmark = pytest.mark.django_db


def department_of(hospital, name="Cardiologie", *aliases):
    with serving(hospital):
        return factories.entity(hospital, Kind.DEPARTMENT, name, *aliases)


def test_the_application_is_neither_owner_nor_superuser():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_user, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb "
            "FROM pg_roles WHERE rolname = current_user"
        )
        assert cursor.fetchone() == ("zol_app", False, False, False, False)
        cursor.execute("SELECT count(*) FROM pg_tables WHERE tableowner = 'zol_app'")
        assert cursor.fetchone() == (0,)


def test_every_table_with_a_hospital_is_guarded():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, c.relrowsecurity, EXISTS ("
            "  SELECT 1 FROM pg_policies p WHERE p.tablename = c.relname) "
            "FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
            "WHERE c.relkind IN ('r', 'p') AND a.attname = ANY(%s) AND NOT a.attisdropped "
            "AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition",
            # What an entity of a sort has beside others stands in a table of its own.
            [["hospital_id", "entity_ptr_id"]],
        )
        tables = cursor.fetchall()
    assert len(tables) > 35
    assert [name for name, secured, policed in tables if not (secured and policed)] == []


def test_every_model_of_ours_knows_its_hospital():
    ours = ("zol", "taxonomy", "retrieval", "chat", "evaluation")
    models = [m for m in apps.get_models() if m._meta.app_label in ours]

    without = [
        m._meta.label for m in models if not any(f.name == "hospital" for f in m._meta.get_fields())
    ]

    # SNOMED CT is one terminology for all hospitals, and the product is one; the application may
    # only read what is in them.
    own = [name for name in without if not name.startswith("taxonomy.Snomed")]
    assert own == ["zol.DefaultSet", "zol.Hospital"]


def test_neither_another_hospital_nor_nobody_sees_rows(hospital, other_hospital):
    department_of(other_hospital, "Geriatrie", "ouderenzorg")

    for who in (hospital, NOBODY):
        with serving(who):
            assert not any(model.objects.exists() for model in (Department, Entity, Alias))


def test_even_raw_sql_touches_nothing_of_another(hospital, other_hospital):
    row = department_of(other_hospital)

    with connection.cursor() as cursor:
        cursor.execute("UPDATE taxonomy_entity SET name = 'weg'")
        updated = cursor.rowcount
        cursor.execute("DELETE FROM taxonomy_department")
        deleted = cursor.rowcount

    assert (updated, deleted) == (0, 0)
    with serving(other_hospital):
        assert Department.objects.get().name == row.name


def test_writing_for_another_hospital_is_refused(hospital, other_hospital):
    with pytest.raises(DatabaseError, match="row-level security"), transaction.atomic():
        Department.objects.create(hospital=other_hospital, key="x", name="X")


def test_a_rollback_does_not_leave_the_other_hospital_served(hospital, other_hospital):
    department_of(hospital, "Van ons")
    department_of(other_hospital, "Van hen")

    with pytest.raises(RuntimeError), transaction.atomic(), serving(other_hospital):
        assert Department.objects.get().name == "Van hen"
        raise RuntimeError

    assert Department.objects.get().name == "Van ons"


@pytest.mark.parametrize("across", [True, False], ids=["across hospitals", "without sense"])
def test_a_relation_cannot_exist(hospital, other_hospital, across):
    row, department = other_hospital if across else hospital, department_of(hospital)
    with serving(row):
        condition = factories.entity(row, Kind.CONDITION, "Palpitaties")
    relation = (
        Relation(subject=department, predicate=Predicate.HANDLES, object=condition)
        if across
        else Relation(subject=condition, predicate=Predicate.WORKS_IN, object=department)
    )

    with pytest.raises(IntegrityError), transaction.atomic():
        relation.save()
        connection.check_constraints()
