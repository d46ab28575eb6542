"""Addresses of the chat. The Dutch ones are public: they stand in the hospital's own pages."""

from __future__ import annotations

from django.urls import path, re_path

from chat import sources, views, widgets
from chat.api import ChatView

app_name = "chat"

urlpatterns = [
    path("", views.chat, name="chat"),
    path("zoek", views.search, name="search"),
    path("widget.js", widgets.script, name="widget"),
    re_path(sources.ADDRESS, sources.source, name="source"),
    path("bron/<int:chunk_id>/origineel", sources.original, name="original"),
    path("api/v1/chat", ChatView.as_view(), name="api"),
]
