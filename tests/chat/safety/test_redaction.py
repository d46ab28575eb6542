"""Personal data never leaves a question; what belongs to the hospital, or is only a number, stays."""

from __future__ import annotations

import pytest

from chat.safety.redaction import Redactor

CUES = [
    ("selfname", "", "mijn naam is", 3), ("selfname", "", "ik ben", 1), ("selfname", "", "my name is", 3),
    ("selfname", "", "je m'appelle", 3), ("selfname", "", "ich heiße", 3), ("selfname", "", "adım", 3),
    ("selfname", "", "mi chiamo", 3), ("selfname", "", "mă numesc", 3), ("selfname", "", "με λένε", 3),
    ("birthdate", "", "geboren op", 3), ("birthdate", "", "né le", 3), ("birthdate", "", "date of birth", 3),
    ("personal_number", "", "patiëntnummer", 3), ("personal_number", "", "passport", 3),
    ("street", "", "straat", 1), ("street", "prefix", "rue", 1),
]  # fmt: skip
ORDINARY = {
    "zwanger",
    "en",
    "ik",
    "heb",
    "een",
    "vraag",
    "kamer",
    "stuk",
    "parking",
    "op",
    "zoek",
    "diabeticus",
    "is",
    "moe",
    "patient",
    "naar",
}


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    rows = [
        {"kind": k, "target": t, "text": s, "weight": w, "language": "nl"} for k, t, s, w in CUES
    ]
    redactor = Redactor(rows, own=["089 00 50 50"], is_known=lambda word, _: word in ORDINARY)
    redaction = redactor.redact(text)
    return redaction.text, redaction.kinds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mijn nummer is 85.07.30-033.28", "mijn nummer is [rijksregisternummer]"),
        ("dus 85073003328", "dus [rijksregisternummer]"),
        ("of 85.07.30-033.29, met een tikfout", "of [rijksregisternummer], met een tikfout"),
        ("bel +32 470 12 34 56", "bel [telefoon]"),
        ("bel 0470/12.34.56", "bel [telefoon]"),
        ("mail jan.peeters@voorbeeld.be", "mail [e-mail]"),
        ("rekening BE68 5390 0754 7034", "rekening [iban]"),
        ("IBAN BE68539007547034 aub", "IBAN [iban] aub"),
        ("cod. fiscale RSSMRA85T10A562S grazie", "cod. fiscale [belastingnummer] grazie"),
        ("TC kimlik 10000000146", "TC kimlik [identiteitsnummer]"),
        ("CNP 1800101221144", "CNP [identiteitsnummer]"),
        ("ΑΜΚΑ 01018012342", "ΑΜΚΑ [identiteitsnummer]"),
        ("kaart 4111 1111 1111 1111", "kaart [kaartnummer]"),
        ("wagen 1-ABC-234", "wagen [nummerplaat]"),
        ("zie https://voorbeeld.be/a?b=c of 10.0.0.1", "zie [url] of [ip-adres]"),
        ("passport EH123456", "passport [paspoort]"),
        ("patiëntnummer: 00-123456", "patiëntnummer: [nummer]"),
        ("geboren op 12/03/1980", "geboren op [geboortedatum]"),
        ("né le 3 mars 1975", "né le [geboortedatum]"),
        ("ik woon Stationsstraat 12, 3600 Genk", "ik woon [adres]"),
        ("rue de la Loi 16, 1000 Bruxelles", "[adres]"),
    ],
)
def test_takes_out(text: str, expected: str) -> None:
    assert redact(text)[0] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mijn naam is jan peeters en ik ben moe", "Mijn naam is [naam] en ik ben moe"),
        ("ik ben Jan Peeters", "ik ben [naam]"),
        ("My name is Ann O'Neill", "My name is [naam]"),
        ("Je m'appelle Marie Dubois", "Je m'appelle [naam]"),
        ("Ich heiße Max Müller", "Ich heiße [naam]"),
        ("Adım Ayşe Yılmaz", "Adım [naam]"),
        ("Mi chiamo Mario Rossi", "Mi chiamo [naam]"),
        ("Mă numesc Ion Popescu", "Mă numesc [naam]"),
        ("Με λένε Νίκος Παππάς", "Με λένε [naam]"),
    ],
)
def test_takes_out_a_name_that_announces_itself(text: str, expected: str) -> None:
    assert redact(text)[0].startswith(expected.split("[naam]", maxsplit=1)[0] + "[naam]")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("klopt 089/00.50.50 nog? of +32 89 00 50 50", id="the hospital's own number"),
        pytest.param("bestelling 85073003329", id="wrong check digits"),
        pytest.param("kaart 4111 1111 1111 1112", id="a wrong check digit"),
        pytest.param("ik ben zwanger", id="a state"),
        pytest.param("Ik ben Diabeticus", id="a state with a capital"),
        pytest.param("wie is dr. Jan Peeters", id="somebody else"),
        pytest.param("bezoek van 14.00 tot 20.00 uur op 24/12", id="hours and a day"),
        pytest.param("ik weeg 80 kg en ben 45 jaar", id="measures"),
        pytest.param("dienst 112 of 1733", id="short numbers"),
    ],
)
def test_leaves_the_rest_alone(text: str) -> None:
    assert redact(text) == (text, ())


def test_says_which_sorts_were_taken_out() -> None:
    assert redact("ik ben Jan Peeters, 0470 12 34 56")[1] == ("telefoon", "naam")


def test_redacting_again_changes_nothing() -> None:
    once = redact("ik ben Jan Peeters, geboren op 12/03/1980, jan@voorbeeld.be")[0]

    assert redact(once)[0] == once


def test_a_relative_is_announced_like_oneself_and_a_word_is_ordinary_in_its_own_language() -> None:
    rows = [
        {"kind": "selfname", "target": "", "text": text, "weight": 1, "language": language}
        for language, text in (("nl", "mijn dochter"), ("tr", "kızım"), ("ro", "soțul meu"))
    ]
    redactor = Redactor(rows, is_known=lambda word, language: (word, language) == ("anne", "tr"))

    assert redactor.redact("mijn dochter Anne Peeters").text == "mijn dochter [naam]"
    assert redactor.redact("soțul meu, Dragoș Ionescu, vine").text == "soțul meu, [naam], vine"
    assert redactor.redact("kızım Anne olacak").kinds == ()
    assert redactor.redact("mijn dochter heeft koorts").kinds == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bel 0470–12–34–56", "bel [telefoon]"),
        ("bel 0470\u00a012\u202f34 56", "bel [telefoon]"),
        ("niss 85/07/30-033/28", "niss [rijksregisternummer]"),
        ("iban BE68 5390 0754 7035, met een tikfout", "iban [iban], met een tikfout"),
        ("jan.peeters [at] voorbeeld.be", "[e-mail]"),
        ("jan.peeters(at)voorbeeld.be", "[e-mail]"),
        ("Jan, 12/03/1980", "Jan, [geboortedatum]"),
        ("date of birth 12th of March 1980", "date of birth [geboortedatum]"),
        ("date of birth March 12, 1980", "date of birth [geboortedatum]"),
        ("12 maart 1980 geboren op", "[geboortedatum] geboren op"),
    ],
)
def test_takes_out_what_is_written_otherwise(text: str, expected: str) -> None:
    assert redact(text)[0] == expected


NAMES = [
    {"kind": k, "target": t, "text": s, "weight": w, "language": "nl"}
    for k, t, s, w in [
        *CUES,
        ("firstname", "", "jan", 1), ("firstname", "", "an", 1),
        ("nameparticle", "", "van", 1), ("nameparticle", "", "den", 1),
        ("selfname", "behind", "hier", 1), ("personal_number", "phone", "gsm", 3),
    ]
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ik ben jan peeters", "ik ben [naam]"),
        ("mijn naam is an van den broeck", "mijn naam is [naam]"),
        ("Jan Peeters hier, ik heb een vraag", "[naam] hier, ik heb een vraag"),
        ("mijn gsm is 470 12 34 56", "mijn gsm is [telefoon]"),
        ("mijn gsm is stuk, kamer 2140", "mijn gsm is stuk, kamer 2140"),
        ("gsm 089 00 50 50", "gsm 089 00 50 50"),
        ("ik ben op zoek naar kamer 12", "ik ben op zoek naar kamer 12"),
        ("Is hier parking", "Is hier parking"),
    ],
)
def test_hears_a_name_without_capitals_and_a_number_without_its_nought(
    text: str, expected: str
) -> None:
    redactor = Redactor(NAMES, own=["089 00 50 50"], is_known=lambda word, _: word in ORDINARY)

    assert redactor.redact(text).text == expected
