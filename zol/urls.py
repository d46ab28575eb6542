"""URL configuration."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from zol import health
from zol.access.staff_api import SchemaView

handler500 = "zol.access.middleware.server_error"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("api/v1/admin/", include("taxonomy.api")),
    path("api/v1/admin/", include("retrieval.api")),
    path("api/v1/schema", SchemaView.as_view(), name="schema"),
    path("api/v1/docs", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="schema-docs"),
    path("", include("chat.channels.urls")),
]
