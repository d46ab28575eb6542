"""URLs of the chat. The Dutch ones are public: the hospital's own pages link to them."""

from __future__ import annotations

from django.urls import path, re_path

from chat.channels import pages, views
from chat.channels.api import ChatView

app_name = "chat"

urlpatterns = [
    path("", views.chat, name="chat"),
    path("zoek", views.search, name="search"),
    path("widget.js", pages.script, name="widget"),
    re_path(views.ADDRESS, views.source, name="source"),
    path("bron/<int:chunk_id>/origineel", views.original, name="original"),
    path("api/v1/chat", ChatView.as_view(), name="api"),
]
