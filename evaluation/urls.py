"""Addresses below `/admin/evaluation/` that are pages of our own."""

from __future__ import annotations

from django.urls import path

from evaluation import views

urlpatterns = [
    path("run/<int:run_id>/report/", views.report, name="evaluation-report"),
    path("compare/<int:before>/<int:after>/", views.compare, name="evaluation-compare"),
]
