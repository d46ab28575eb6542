"""Only the owner changes tables."""

from __future__ import annotations

from typing import Any


class OwnerMigrates:
    """Everything is read and written as the application; migrations run as the owner."""

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == "owner"
