"""The admin site in the place of Django's own; `zol.apps` may hold one app only."""

from __future__ import annotations

from importlib import import_module

from django.contrib.admin.apps import AdminConfig


class ZolAdminConfig(AdminConfig):
    default_site = "zol.admin_pages.site.ZolAdminSite"

    def ready(self) -> None:
        super().ready()
        # Last: they take the place of Django's own pages of accounts, and the site is made by now.
        for name in ("access", "widgets"):
            import_module(f"zol.admin_pages.{name}")
