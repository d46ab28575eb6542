"""`manage.py red_flags` prints what a clinician signs."""

from __future__ import annotations

from io import StringIO

from django.core.management import call_command


def printed(**options: str) -> str:
    out = StringIO()
    # Scenarios leave hospitals of their own in the database of a worker.
    call_command("red_flags", "--hospital", "azm-mini", stdout=out, **options)
    return out.getvalue()


def test_every_situation_stands_in_it_with_its_text(mini):
    said = printed(language="nl")

    assert "(labour_emergency)" in said
    assert "> **Bel nu 112.**" in said
    assert "water gebroken" in said


def test_one_language_leaves_the_others_out(mini):
    assert "waters broke" not in printed(language="nl")


def test_the_headings_are_in_dutch_for_who_asks(mini):
    assert "Woorden die een zin ontkennen" in printed(written="nl")
