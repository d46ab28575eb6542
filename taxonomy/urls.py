"""Addresses below `/api/v1/admin/`."""

from __future__ import annotations

from django.urls import path

from taxonomy import api

urlpatterns = [
    path("releases/", api.ReleasesView.as_view(), name="releases"),
    path("releases/<int:pk>/", api.ReleaseView.as_view(), name="release"),
    path("releases/<int:pk>/changes/", api.ChangesView.as_view(), name="release-changes"),
    path("releases/<int:pk>/<str:name>/", api.StepView.as_view(), name="release-step"),
]
