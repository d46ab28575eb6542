"""The two database roles: the owner, for migrations, and the restricted application role."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

APPLICATION_ROLE = "zol_app"


def application_password(secret_key: str) -> str:
    """Return the password of the application role, derived from the secret key."""
    return hmac.new(secret_key.encode(), b"database role zol_app", hashlib.sha256).hexdigest()


def application_url(owner_url: str, secret_key: str) -> str:
    """Return the URL of the same database for the application role."""
    parts = urlsplit(owner_url)
    place = parts.netloc.rpartition("@")[2]
    login = f"{APPLICATION_ROLE}:{quote(application_password(secret_key))}"
    return urlunsplit(parts._replace(netloc=f"{login}@{place}"))


class OwnerMigrates:
    """Database router: migrations run as the owner, everything else as the application."""

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == "owner"
