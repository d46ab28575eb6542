"""The admin site in the place of Django's own; `zol.apps` may hold one app only."""

from __future__ import annotations

from importlib import import_module

from django.contrib.admin.apps import AdminConfig


class ZolAdminConfig(AdminConfig):
    default_site = "zol.admin.ZolAdminSite"

    def ready(self) -> None:
        super().ready()
        # Last, because it takes the place of Django's own pages of accounts; and not from
        # `zol.admin`, which is imported while the site is being made.
        import_module("zol.admin_pages.access")
        import_module("zol.admin_pages.audit")
        import_module("zol.admin_pages.widgets")
        import_module("zol.admin_pages.keys")
