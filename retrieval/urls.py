"""URLs below `/api/v1/admin/`."""

from __future__ import annotations

from django.urls import path

from retrieval.api import MismatchView

urlpatterns = [path("ops/category-mismatch", MismatchView.as_view(), name="category-mismatch")]
