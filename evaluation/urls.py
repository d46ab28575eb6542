"""URLs below `/admin/evaluation/` outside the model admin."""

from __future__ import annotations

from django.urls import path

from evaluation import views

urlpatterns = [
    path("run/<int:run_id>/report/", views.report, name="evaluation-report"),
    path("preview/<int:preview_id>/", views.preview, name="evaluation-preview"),
    path("preview/<int:preview_id>/progress/", views.progress, name="evaluation-preview-progress"),
    path("preview/of/<int:release_id>/", views.preview_of, name="evaluation-preview-of"),
    path("compare/<int:before>/<int:after>/", views.compare, name="evaluation-compare"),
]
