"""Which of two treatments is better is for a doctor to say, also where nobody says "for me".

What the difference is, who does which, whether both are done here, which car park is best and
whether to come by bus or by train is told. The phrases were written before any row was, and are
kept as they were: at first sight 27 of 48 comparisons were refused, and 2 of 48 harmless twins.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from retrieval.intents import Intent
from tests.chat.question.readers import asked

DATA = Path(__file__).parents[1] / "data" / "advice_which_is_better.csv"
#: Who names the second of two kinds of anaesthesia by its adjective alone is answered.
STILL_ANSWERED = 1


def said(kind: str) -> list[tuple[str, str]]:
    with DATA.open(encoding="utf-8", newline="") as file:
        return [(r["language"], r["phrase"]) for r in csv.DictReader(file) if r["kind"] == kind]


def is_refused(text: str, page: str) -> bool:
    return asked(text, page=page).intent is Intent.OUT_OF_SCOPE_MEDICAL_ADVICE


def test_which_of_two_treatments_is_better_is_refused():
    answered = [text for language, text in said("trigger") if not is_refused(text, language)]

    assert len(answered) <= STILL_ANSWERED, answered


def test_what_else_two_treatments_are_named_for_is_answered():
    assert [text for language, text in said("near_miss") if is_refused(text, language)] == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "can I go for a walk or a swim after my operation"),
        ("en", "is it recommended to eat or drink before my operation"),
        ("nl", "is het beter om te bellen of te mailen voor mijn kine na de heupoperatie"),
        ("nl", "wat gebeurt eerst, de chemo of de bestraling"),
        ("fr", "l'hospitalisation est-elle plus longue pour un pontage ou pour un stent"),
        ("de", "wo wird operiert und wo bestrahlt"),
        ("it", "conviene venire in treno o in macchina per l'operazione al ginocchio"),
        ("tr", "ameliyat mı önce yapılıyor kemoterapi mi"),
    ],
)
def test_nothing_that_is_not_weighed_is_refused(language: str, text: str):
    assert not is_refused(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "is paracetamol safer than ibuprofen"),
        ("nl", "wat is veiliger, paracetamol of ibuprofen"),
        ("de", "ist Bestrahlung wirksamer als Chemotherapie"),
        ("ro", "chimioterapia e mai eficientă decât radioterapia"),
        ("el", "είναι πιο αποτελεσματική η χημειοθεραπεία από την ακτινοθεραπεία"),
    ],
)
def test_safer_and_more_effective_weigh_as_well(language: str, text: str):
    assert is_refused(text, language)
