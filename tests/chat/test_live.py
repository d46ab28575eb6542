"""The tools of a turn do what they can before they are asked."""

from __future__ import annotations

from chat import live


def test_only_an_embedder_that_can_begin_ahead_is_asked_to(settings, monkeypatch):
    begun = []
    monkeypatch.setattr(live, "ahead", begun.append)

    live.expect("Waar kan ik parkeren?")
    settings.EMBEDDING = {**settings.EMBEDDING, "provider": "lexical"}
    live.expect("Waar kan ik parkeren?")

    assert len(begun) == 1
