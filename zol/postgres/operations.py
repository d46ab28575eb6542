"""Migration operations for row-level security and privileges.

None can be reversed: to go back, the previous release runs on the newer tables.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations

from zol.postgres.roles import APPLICATION_ROLE

#: The hospital being served, as `zol.postgres.base` has set it; NULL for none.
SERVED = "NULLIF(current_setting('zol.hospital', true), '')::bigint"


def guarded(table: str, **policies: str) -> list[str]:
    """Return the statements that put a table under row-level security."""
    made = (f"CREATE POLICY {name} ON {table} {what}" for name, what in policies.items())
    return [f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY", *made]


class HospitalRows(migrations.RunSQL):
    """Let the application read and write only the served hospital's rows of a table."""

    def __init__(self, table: str, column: str = "hospital_id") -> None:
        mine = f"{column} = {SERVED}"
        super().__init__(guarded(table, served=f"USING ({mine}) WITH CHECK ({mine})"))


class DefaultRows(migrations.RunSQL):
    """Let the application read the served hospital's rows of a table and the shared rows in force
    there, and write only the hospital's own.

    In force are the shared rows of the hospital's edition that it has not overridden. Subqueries
    about the hospital run once in a statement, not for each row.
    """

    def __init__(self, table: str, row_set: str) -> None:
        mine = f"hospital_id = {SERVED}"
        edition = (
            f"(SELECT (defaults_edition ->> '{row_set}')::int FROM zol_hospital "
            f"WHERE id = {SERVED})"
        )
        overridden = (
            'ARRAY(SELECT "row" FROM zol_defaultoverride '
            f"WHERE hospital_id = {SERVED} AND row_set = '{row_set}')"
        )
        shared = (
            "hospital_id IS NULL AND ((SELECT current_setting('zol.editions', true) = 'every') "
            f"OR (since <= {edition} AND (until IS NULL OR until > {edition}) "
            f"AND id <> ALL ({overridden})))"
        )
        super().__init__(
            guarded(
                table,
                found=f"FOR SELECT USING ({mine} OR ({shared}))",
                created=f"FOR INSERT WITH CHECK ({mine})",
                changed=f"FOR UPDATE USING ({mine}) WITH CHECK ({mine})",
                deleted=f"FOR DELETE USING ({mine})",
            )
        )


class PublicRows(migrations.RunSQL):
    """Let all hospitals read a table, and write only the served hospital's rows."""

    def __init__(self, table: str, column: str = "hospital_id", insert: str = "") -> None:
        mine = f"{column} = {SERVED}"
        super().__init__(
            guarded(
                table,
                found="FOR SELECT USING (true)",
                created=f"FOR INSERT WITH CHECK ({insert or mine})",
                changed=f"FOR UPDATE USING ({mine}) WITH CHECK ({mine})",
                deleted=f"FOR DELETE USING ({mine})",
            )
        )


class SharedRows(migrations.RunSQL):
    """Let the application read and add rows of the served hospital and of no hospital, and change
    none."""

    def __init__(self, table: str) -> None:
        seen = f"hospital_id = {SERVED} OR hospital_id IS NULL"
        super().__init__(
            guarded(
                table, found=f"FOR SELECT USING ({seen})", created=f"FOR INSERT WITH CHECK ({seen})"
            )
        )


class RowsOfParent(migrations.RunSQL):
    """Let the application read and write only rows whose parent row it may read."""

    def __init__(self, table: str, parent: str, column: str) -> None:
        mine = f"EXISTS (SELECT 1 FROM {parent} p WHERE p.id = {table}.{column})"
        super().__init__(guarded(table, served=f"USING ({mine}) WITH CHECK ({mine})"))


class SameHospital(migrations.RunSQL):
    """Add a composite foreign key, so that a row and its target belong to one hospital."""

    def __init__(self, table: str, column: str, target: str, *, on_delete: str = "") -> None:
        unique = f"{target}_of_hospital"
        name = f"{table}_{column}_same_hospital"
        super().__init__(
            [
                f"DO $$ BEGIN IF to_regclass('{unique}') IS NULL THEN "
                f"ALTER TABLE {target} ADD CONSTRAINT {unique} UNIQUE (hospital_id, id); "
                "END IF; END $$",
                f"ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY (hospital_id, {column}) "
                f"REFERENCES {target} (hospital_id, id) "
                f"{on_delete and f'ON DELETE {on_delete} '}DEFERRABLE INITIALLY DEFERRED",
            ]
        )


class WrittenOnce(migrations.RunSQL):
    """Revoke the application's privilege to change or delete rows of a table."""

    def __init__(self, table: str) -> None:
        super().__init__(f"REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM {APPLICATION_ROLE}")


class WrittenByOwner(migrations.RunSQL):
    """Let the application only read a table of reference data that no hospital owns."""

    def __init__(self, table: str) -> None:
        super().__init__(
            f"REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON {table} FROM {APPLICATION_ROLE}"
        )


def create_application_role(apps: Any, schema_editor: Any) -> None:
    """Create or update the application's role and its default privileges."""
    from django.conf import settings  # noqa: PLC0415  (a migration runs with settings, not imports)

    role = APPLICATION_ROLE
    database = schema_editor.connection.settings_dict["NAME"]
    application = settings.DATABASES["default"]
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper OR rolcreaterole, EXISTS (SELECT FROM pg_roles WHERE rolname = %s) "
            "FROM pg_roles WHERE rolname = current_user",
            [role],
        )
        may_alter, is_there = cursor.fetchone()
        if not is_there:
            cursor.execute(
                f"CREATE ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS"
            )
        # Else `database_setup` has made it and given it its password.
        if application["USER"] == role and may_alter:
            password = application["PASSWORD"].replace("'", "''")
            cursor.execute(f"ALTER ROLE {role} PASSWORD '{password}'")
        quoted = schema_editor.connection.ops.quote_name(database)
        for what in (
            f"GRANT CONNECT ON DATABASE {quoted}",
            "GRANT USAGE ON SCHEMA public",
            "ALTER DEFAULT PRIVILEGES IN SCHEMA public "
            "GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES",
            "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public",
            "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public",
        ):
            cursor.execute(f"{what} TO {role}")
