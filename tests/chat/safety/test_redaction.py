"""Personal data never leaves a question; what belongs to the hospital, or is only a number, stays."""

from __future__ import annotations

import pytest

from chat.safety.phrases import defaults
from chat.safety.private_names import OwnName
from chat.safety.redaction import Own, Redactor

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


REDACTOR = Redactor(
    defaults("cues"),
    Own(
        numbers=["089 00 50 50"],
        streets=["Schiepse Bos 6"],
        domains=["hospital.example"],
        country="be",
        named=lambda words: [
            OwnName(at, at + 2)
            for at in range(len(words) - 1)
            if (words[at].folded, words[at + 1].folded) == ("wim", "claes")
        ],
    ),
    is_known=lambda word, _: word in ORDINARY,
)


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    redaction = REDACTOR.redact(text)
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
        ("TC kimlik 10000000146", "TC kimlik [nummer]"),
        ("CNP 1800101221144", "CNP [nummer]"),
        ("ΑΜΚΑ 01018012342", "ΑΜΚΑ [nummer]"),
        ("bestelling 85073003329", "bestelling [nummer]"),
        ("bel 0477 / 12 34 56", "bel [telefoon]"),
        ("bel +32 (0)477 / 12.34.56", "bel [telefoon]"),
        ("bel 0031 43 387 65 43", "bel [telefoon]"),
        ("Tel. 0241 / 123 45 67", "Tel. [telefoon]"),
        ("τηλ 697 918 2736", "τηλ [telefoon]"),
        ("mijn zoon is van 12/04/2015", "mijn zoon is van [geboortedatum]"),
        ("mon fils est du 12/04/2024", "mon fils est du [geboortedatum]"),
        ("Mijn zoontje (12-04-15)", "Mijn zoontje ([geboortedatum])"),
        ("I was born in 1957", "I was born in [geboortejaar]"),
        ("Hauptstraße 5, 52062 Aachen", "[adres]"),
        ("Am Markt 5, 52062 Aachen", "[adres]"),
        ("Kennzeichen AC-XY 1234", "Kennzeichen [nummerplaat]"),
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
        pytest.param("is het Schiepse Bos 6, of info@hospital.example?", id="its own address"),
        pytest.param("Wanneer werkt Wim Claes?", id="its own doctor"),
        pytest.param("de afspraak van mijn zoon is van 12/04/2099", id="what is still to come"),
        pytest.param("de ziekte van Parkinson, syndroom van Guillain-Barré", id="eponyms"),
        pytest.param("open van 08.00-12.00 en 13.00-17.00, 1.250,50 euro", id="hours, a price"),
        pytest.param("van 01/07/2026 - 15/07/2026", id="a holiday"),
        pytest.param("oğlum veda mektubu yazmış", id="a letter, which a name is written like"),
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
    assert redact("ik ben Jan Peeters, 0470 12 34 56")[1] == ("naam", "telefoon")


def test_redacting_again_changes_nothing() -> None:
    once = redact("ik ben Jan Peeters, geboren op 12/03/1980, jan@voorbeeld.be")[0]

    assert redact(once)[0] == once


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Op welke kamer ligt Jozef Wouters?", "Op welke kamer ligt [naam]?"),
        ("op welke kamer ligt marie claessens", "op welke kamer ligt [naam]"),
        (
            "Ik wil de afspraak voor Hilde Nijs annuleren",
            "Ik wil de afspraak voor [naam] annuleren",
        ),
        ("mijn dochter Anne Peeters", "mijn dochter [naam]"),
        ("soțul meu, Dragoș Ionescu, vine", "soțul meu, [naam], vine"),
        ("Meneer de wit wacht", "Meneer [naam] wacht"),
        ("Ayten Hanım taburcu oldu mu?", "[naam] taburcu oldu mu?"),
        ("Which room is Margaret Collins in?", "Which room is [naam] in?"),
        ("Η κυρία Ανδρέου είναι στην εντατική;", "Η κυρία [naam] είναι στην εντατική;"),
        # An accusation names nobody, here or further on.
        (
            "Luc Smeets van de receptie heeft mij bestolen, Smeets is een dief",
            "[naam] van de receptie heeft mij bestolen, [naam] is een dief",
        ),
        ("The nurse Janet Briggs stole my phone", "The nurse [naam] stole my phone"),
    ],
)
def test_takes_out_the_name_of_somebody_else(text: str, expected: str) -> None:
    assert redact(text)[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        "mijn dochter heeft koorts", "mag mijn partner mee bij een onderzoek", "kızım anne olacak",
        "kann meine Frau mitessen", "dokter Verbruggen van neurologie",
        "mijn naam is verkeerd geschreven", "je suis enceinte", "Ich bin Diabetiker",
    ],
)  # fmt: skip
def test_what_is_no_name_stays(text: str) -> None:
    assert redact(text) == (text, ())


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
    assert redact(text)[0] == expected


@pytest.mark.parametrize(
    "written",
    [
        "3 mei '52", "03.05.'52", "03 05 1952", "03051952", "3.V.1952", "1° febbraio 1952",
        "1er mars '52", "3η Μαΐου '52", "3. Mai '52", "3 sept 52",
    ],
)  # fmt: skip
def test_a_date_of_birth_goes_whole_however_it_is_written(written: str) -> None:
    assert redact(f"geboren {written}, wat nu?")[0] == "geboren [geboortedatum], wat nu?"


@pytest.mark.parametrize(
    "text",
    [
        "Monday 3 May at 9:45", "geboren worden in kamer 12 14", "is het 12 10 of 12 20",
        "op 3 mei '27 of later", "code 12102030",
    ],
)  # fmt: skip
def test_a_day_of_which_nobody_says_that_it_is_one_of_birth_stays(text: str) -> None:
    assert redact(text) == (text, ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("numéro d'affilié 306/2218745-09", "numéro d'affilié [verzekerdennummer]"),
        ("insurance policy no. CIG-44718203-B", "insurance policy no. [nummer]"),
        ("αριθμός μητρώου 552/881034-Α", "αριθμός μητρώου [nummer]"),
        ("numărul de asigurat 77-204/91855", "numărul de asigurat [nummer]"),
        ("NRN 47 03 02 997 47", "NRN [rijksregisternummer]"),
        ("Lindenlaan 27/B, is dat ver?", "[adres], is dat ver?"),
        ("Μένω στην οδό Σόλωνος 72", "Μένω στην [adres]"),
    ],
)
def test_a_number_goes_whole_with_its_letters_and_strokes(text: str, expected: str) -> None:
    assert redact(text)[0] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tom Beerten hier, waar moet ik zijn?", "[naam] hier, waar moet ik zijn?"),
        ("sunny gill here, which route is it", "[naam] here, which route is it"),
        ("Gülsüm Arslan ben, diyaliz nerede?", "[naam] ben, diyaliz nerede?"),
        ("May Thornton here", "[naam] here"),
        ("Waar is het? Dank u wel, Greet Hoebers", "Waar is het? Dank u wel, [naam]"),
        ("Teşekkür ederim, Melike Sarıkaya", "Teşekkür ederim, [naam]"),
        ("nom : grégory dumont, service", "nom : [naam], service"),
        ("ad soyad: murat özdemir bölüm: ortopedi", "ad soyad: [naam] bölüm: ortopedi"),
        ("ονομα: στελιος μαυρος ημ. γεννησης:", "ονομα: [naam] ημ. γεννησης:"),
    ],
)
def test_who_signs_a_message_or_fills_in_a_field_goes_whole(text: str, expected: str) -> None:
    assert redact(text)[0] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Spreekt mevrouw Makris Grieks?", "Spreekt mevrouw Makris Grieks?"),
        ("Μιλάει ελληνικά η κυρία Makris;", "Μιλάει ελληνικά η κυρία Makris;"),
        ("ik ben mevrouw Makris", "ik ben mevrouw [naam]"),
        ("mijn naam is Makris", "mijn naam is [naam]"),
    ],
)
def test_a_doctor_spoken_of_as_lady_or_gentleman_stays(text: str, expected: str) -> None:
    redactor = Redactor(
        defaults("cues"),
        Own(
            named=lambda words: [
                OwnName(at, at + 1, is_sure=False)
                for at, word in enumerate(words)
                if word.folded == "makris"
            ]
        ),
    )

    assert redactor.redact(text).text == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mijn mail is an.claes at gmail punt com, dank u", "mijn mail is [e-mail], dank u"),
        ("la mail è luca.neri chiocciola libero punto it", "la mail è [e-mail]"),
        ("geboren op 120457", "geboren op [geboortedatum]"),
        ("born on the twenty-first of March 1951", "born on the [geboortedatum]"),
        ("Sint-Pietersstraat 12, 9000 Gent", "[adres]"),
        ("12 Station Road, 8900 Ieper until Monday", "[adres] until Monday"),
        ("dossier B24-118-7730 is zoek", "dossier [nummer] is zoek"),
        ("op 0471 22 09 11 — 0471 22 09 88 mag ook", "op [telefoon] — [telefoon] mag ook"),
    ],
)
def test_takes_out_what_is_spelled_or_said_in_words(text: str, expected: str) -> None:
    assert redact(text)[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        "het dossier van 2019 opvragen",
        "come at the point of sale",
        "she had chemo on tuesday and now she's at 38.3",
        "fever at 39.5 since noon",
        "koorts @38.5",
        "mijn zoon van 4 heeft 38,7 maar hij loopt rond",
        "mijn dochter van 16 gaat 12 nachten op kamp",
        "op kamer 1204 sinds maart 2024",
    ],
)
def test_leaves_what_only_looks_like_that(text: str) -> None:
    assert redact(text)[0] == text
