"""Print the `psql` script with the steps that need a superuser; safe to run twice.

It creates roles and their passwords, which no dump contains, so a restored server needs it like a
new one. It contains passwords only as hashes.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from psycopg import sql

from zol.postgres.roles import APPLICATION_ROLE

#: Iterations of PostgreSQL's SCRAM-SHA-256 verifiers.
ROUNDS = 4096
SCRIPT = r"""-- As a superuser: psql -h HOST -U postgres -d postgres -f THIS
\set ON_ERROR_STOP on
SELECT {make_owner} WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {owner_name}) \gexec
SELECT {make_role} WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {role_name}) \gexec
ALTER ROLE {owner} LOGIN NOCREATEROLE{owner_password};
ALTER ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS{role_password};
SELECT {make_database} WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = {name}) \gexec
ALTER DATABASE {database} OWNER TO {owner};
\connect {database}
CREATE EXTENSION IF NOT EXISTS vector;
GRANT SET ON PARAMETER hnsw.iterative_scan, hnsw.ef_search TO {owner};
"""


class Command(BaseCommand):
    help = (
        "Print the SQL that a superuser of PostgreSQL must run on a new server, before a restore, "
        "and after a change of SECRET_KEY. Running it twice changes nothing."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--print",
            action="store_true",
            required=True,
            help="required: print the SQL, and run nothing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.EMBEDDED:
            raise CommandError("DATABASE_URL is not set: the embedded PostgreSQL sets itself up.")
        self.stdout.write(script_for(settings.DATABASES["owner"], settings.DATABASES["default"]))


def script_for(owner: Mapping[str, Any], application: Mapping[str, Any]) -> str:
    """Return the script for the settings of the two database connections."""
    role, own, name = map(sql.Identifier, (APPLICATION_ROLE, owner["USER"], owner["NAME"]))
    # A role of another name was made by the administrator.
    serves = application["USER"] == APPLICATION_ROLE
    values = {
        "owner": own, "role": role, "database": name,
        "owner_name": owner["USER"], "role_name": APPLICATION_ROLE, "name": owner["NAME"],
        "make_owner": sql.SQL("CREATE ROLE {}").format(own).as_string(),
        "make_role": sql.SQL("CREATE ROLE {}").format(role).as_string(),
        "make_database": sql.SQL("CREATE DATABASE {} OWNER {}").format(name, own).as_string(),
        "owner_password": password_clause(owner["PASSWORD"]),
        "role_password": password_clause(application["PASSWORD"] if serves else ""),
    }  # fmt: skip
    return sql.SQL(SCRIPT).format(**values).as_string()


def password_clause(password: str) -> sql.Composable:
    """Return the clause that sets a password, hashed (RFC 5802); empty without one."""
    if not password:
        return sql.SQL("")
    salt = os.urandom(16)
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, ROUNDS)
    client, server = (hmac.digest(salted, key, "sha256") for key in (b"Client Key", b"Server Key"))
    parts = [b64encode(each).decode() for each in (salt, hashlib.sha256(client).digest(), server)]
    return sql.SQL(" PASSWORD {}").format("SCRAM-SHA-256${}:{}${}:{}".format(ROUNDS, *parts))
