"""The admin site, where `zol.admin_app` names it."""

from __future__ import annotations

from zol.admin_pages.site import ZolAdminSite

__all__ = ["ZolAdminSite"]
