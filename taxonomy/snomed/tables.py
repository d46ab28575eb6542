"""Build new reference tables, compare them with the current ones, and replace these.

Loading a release takes minutes, in which questions are answered from the current tables. The new
ones are filled, indexed and compared; renaming them is the last step of the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import connections

from taxonomy.models import (
    SnomedConcept,
    SnomedDescription,
    SnomedIsA,
    SnomedRelationship,
    SnomedRelease,
)
from zol.postgres.roles import APPLICATION_ROLE

TABLES = tuple(
    model._meta.db_table
    for model in (SnomedConcept, SnomedDescription, SnomedRelationship, SnomedIsA)
)
NEW = "_new"


def owner() -> Any:
    """Return the connection that may change reference data and tables."""
    return connections["owner"]


def create_new() -> None:
    """Make empty new tables, without indexes."""
    with owner().cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"DROP TABLE IF EXISTS {table}{NEW}")
            cursor.execute(f"CREATE TABLE {table}{NEW} (LIKE {table} INCLUDING DEFAULTS)")


def index_new() -> None:
    """Give the new tables the constraints and indexes of the current ones."""
    with owner().cursor() as cursor:
        cursor.execute("SET LOCAL maintenance_work_mem = '128MB'")
        for table in TABLES:
            for name, definition in _constraints(cursor, table):
                cursor.execute(
                    f"ALTER TABLE {table}{NEW} ADD CONSTRAINT {quoted(name + NEW)} {definition}"
                )
            for name, definition in _indexes(cursor, table):
                after = definition.partition(" USING ")[2]
                cursor.execute(f"CREATE INDEX {quoted(name + NEW)} ON {table}{NEW} USING {after}")
            cursor.execute(f"ANALYZE {table}{NEW}")


def put_in_place() -> None:
    """Drop the current tables, and rename the new ones to theirs."""
    with owner().cursor() as cursor:
        for table in TABLES:
            constraints, indexes = _constraints(cursor, table), _indexes(cursor, table)
            cursor.execute(f"DROP TABLE {table}")
            cursor.execute(f"ALTER TABLE {table}{NEW} RENAME TO {table}")
            for name, _ in constraints:
                cursor.execute(
                    f"ALTER TABLE {table} RENAME CONSTRAINT {quoted(name + NEW)} TO {quoted(name)}"
                )
            for name, _ in indexes:
                cursor.execute(f"ALTER INDEX {quoted(name + NEW)} RENAME TO {quoted(name)}")
            cursor.execute(
                f"REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON {table} FROM {APPLICATION_ROLE}"
            )
            cursor.execute(f"GRANT SELECT ON {table} TO {APPLICATION_ROLE}")


def quoted(name: str) -> str:
    return str(owner().ops.quote_name(name))


def _constraints(cursor: Any, table: str) -> list[tuple[str, str]]:
    cursor.execute(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid = %s::regclass AND contype IN ('p', 'u') ORDER BY conname",
        [table],
    )
    return list(cursor.fetchall())


def _indexes(cursor: Any, table: str) -> list[tuple[str, str]]:
    cursor.execute(
        "SELECT c.relname, pg_get_indexdef(c.oid) FROM pg_index i JOIN pg_class c"
        " ON c.oid = i.indexrelid WHERE i.indrelid = %s::regclass AND NOT EXISTS"
        " (SELECT 1 FROM pg_constraint WHERE conindid = c.oid) ORDER BY c.relname",
        [table],
    )
    return list(cursor.fetchall())


def rows_of(sql: str, parameters: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
    with owner().cursor() as cursor:
        cursor.execute(sql, list(parameters))
        return list(cursor.fetchall())


_CONCEPT, _DESCRIPTION = "taxonomy_snomedconcept", "taxonomy_snomeddescription"
#: SQL condition: terms that questions are matched with.
USED = "sort <> 'd' AND acceptability <> 'n'"

_STAMPED = """
    stamped AS (
        SELECT e.id, e.hospital_id, s.snomed::bigint AS concept FROM taxonomy_entity e JOIN (
            SELECT entity_ptr_id, snomed FROM taxonomy_condition
            UNION ALL SELECT entity_ptr_id, snomed FROM taxonomy_treatment
            UNION ALL SELECT entity_ptr_id, snomed FROM taxonomy_examination
        ) s ON s.entity_ptr_id = e.id AND s.snomed ~ '^[0-9]{6,18}$'
    )"""
_ENTITIES = f"""
    WITH {_STAMPED},
    before AS (
        SELECT DISTINCT s.id, s.hospital_id, s.concept, d.language, d.term
        FROM stamped s JOIN {_DESCRIPTION} d ON d.concept = s.concept WHERE {USED}
    ),
    after AS (
        SELECT DISTINCT s.id, s.hospital_id, s.concept, d.language, d.term
        FROM stamped s JOIN {_DESCRIPTION}_new d ON d.concept = s.concept WHERE {USED}
    ),
    found AS (
        SELECT 'added' AS sort, * FROM (SELECT * FROM after EXCEPT SELECT * FROM before) a
        UNION ALL
        SELECT CASE WHEN EXISTS (
                SELECT 1 FROM taxonomy_alias x WHERE x.entity_id = r.id
                AND x.language = r.language AND lower(x.text) = lower(r.term)
            ) THEN 'alias' ELSE 'removed' END, *
        FROM (SELECT * FROM before EXCEPT SELECT * FROM after) r
        UNION ALL
        SELECT 'retired', s.id, s.hospital_id, s.concept, '', ''
        FROM stamped s JOIN {_CONCEPT} o ON o.id = s.concept AND o.is_active
        WHERE NOT EXISTS (SELECT 1 FROM {_CONCEPT}_new n WHERE n.id = s.concept AND n.is_active)
    )
    INSERT INTO taxonomy_snomedchange
        (sort, entity_id, hospital_id, concept, language, term, release_id)
    SELECT sort, id, hospital_id, concept, language, term, %s FROM found"""


def record(release: SnomedRelease) -> dict[str, int]:
    """Store what changes for every hospital's entities; return how many are affected."""
    with owner().cursor() as cursor:
        cursor.execute(_ENTITIES, [release.pk])
    affected = rows_of(
        "SELECT count(DISTINCT entity_id) FROM taxonomy_snomedchange WHERE release_id = %s",
        [release.pk],
    )
    return {"entities affected": int(affected[0][0])}
