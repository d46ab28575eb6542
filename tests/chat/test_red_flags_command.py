"""`manage.py red_flags` prints what a clinician signs."""

from io import StringIO

from django.core.management import call_command


def printed(**options: str) -> str:
    out = StringIO()
    # Scenarios leave hospitals of their own in the database of a worker.
    call_command("red_flags", "--hospital", "azm-mini", stdout=out, **options)
    return out.getvalue()


def test_every_situation_stands_in_it_with_its_text_in_the_languages_that_are_asked_for(mini):
    said = printed(language="nl", written="nl")

    assert "(labour_emergency)" in said
    assert "> **Bel nu 112.**" in said
    assert "water gebroken" in said
    assert "Woorden die een zin ontkennen" in said
    assert "waters broke" not in said
