"""Codes of rows are read, chosen and written by their names, in both languages of the back office."""

import csv

import pytest
from django.utils import translation

from chat.models import AdvicePhrase, Cue, FixedText, RedFlagPhrase
from chat.models.names import ADVICE, EMERGENCIES, TARGETS, TEXTS
from tests.zol.staff import signed_in
from zol.models import Role

RED_FLAGS = "/admin/chat/redflagphrase/"
#: Cues that point to figures or days, and units that are names.
FIGURES = ("number_word", "moment", "spelled_sign")
UNITS = {"mg", "ml", "kg", "km", "kwh"}


def codes(model, field):
    with model.defaults.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {row[field] for row in rows if row["kind"] not in FIGURES} - UNITS - {""}


@pytest.mark.parametrize(
    ("model", "field", "names"),
    [
        (RedFlagPhrase, "kind", EMERGENCIES),
        (AdvicePhrase, "kind", ADVICE),
        (FixedText, "kind", TEXTS),
        (Cue, "target", TARGETS),
    ],
)
def test_every_code_of_a_default_row_has_a_name_of_its_own(model, field, names):
    assert codes(model, field) <= {str(code) for code in names}
    for language in ("en", "nl"):
        with translation.override(language):
            said = [str(name).casefold() for name in names.values()]
        assert len(set(said)) == len(said)


@pytest.fixture
def rows(hospital):
    said = {"hospital": hospital, "language": "nl"}
    FixedText.objects.create(kind="alarm_poison", text="Bel het Antigifcentrum.", **said)
    Cue.objects.create(kind="dose_unit", target="sachet", text="zakjes", **said)
    return RedFlagPhrase.objects.create(kind="overdose_poison", text="ik slikte", **said)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "language", "name", "code"),
    [
        (RED_FLAGS, "en", "overdose or poisoning", ">overdose_poison<"),
        ("/admin/chat/fixedtext/", "nl", "Alarm: vergiftiging", "alarm_poison<"),
        ("/admin/chat/cue/", "nl", "zakje", ">sachet<"),
    ],
)
def test_lists_and_filters_show_names(hospital, rows, address, language, name, code):
    page = signed_in(hospital, Role.CURATOR, language=language).get(address)

    assert page.text.count(name) >= 2
    assert code not in page.text


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("written", "kept"),
    [("Pijn op de borst", "chest_pain"), ("chest pain", "chest_pain"), ("wespennest",) * 2],
)
def test_a_name_is_written_and_its_code_is_kept(hospital, written, kept):
    browser = signed_in(hospital, Role.QUALITY, language="nl")
    offered = browser.get(f"{RED_FLAGS}add/").text
    row = {"kind": written, "language": "nl", "role": "trigger", "text": "het drukt op mijn borst"}

    browser.post(f"{RED_FLAGS}add/", row)

    assert '<option value="pijn op de borst">' in offered
    made = RedFlagPhrase.objects.get()
    assert made.kind == kept
    shown = browser.get(f"{RED_FLAGS}{made.pk}/change/").context["adminform"].form["kind"].value()
    assert shown.casefold() == (written if kept == written else "pijn op de borst")
