"""Personal data is redacted; the hospital's own data and ordinary numbers are not."""

import re
from time import process_time

import pytest

from chat.safety.phrases import defaults
from chat.safety.private_names import OwnName
from chat.safety.redaction import Own, Redactor

WORDS = "zwanger en ik heb een vraag kamer stuk parking op zoek diabeticus is moe patient naar"
ORDINARY = set(WORDS.split())


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
        ("τηλ 697 918 2736", "τηλ [telefoon]"),
        ("mijn zoon is van 12/04/2015", "mijn zoon is van [geboortedatum]"),
        ("I was born in 1957", "I was born in [geboortejaar]"),
        ("Hauptstraße 5, 52062 Aachen", "[adres]"),
        ("Kennzeichen AC-XY 1234", "Kennzeichen [nummerplaat]"),
        ("kaart 4111 1111 1111 1111", "kaart [kaartnummer]"),
        ("zie https://voorbeeld.be/a?b=c of 10.0.0.1", "zie [url] of [ip-adres]"),
        ("passport EH123456", "passport [paspoort]"),
        ("patiëntnummer: 00-123456", "patiëntnummer: [nummer]"),
        ("geboren op 12/03/1980", "geboren op [geboortedatum]"),
        ("ik woon Stationsstraat 12, 3600 Genk", "ik woon [adres]"),
        ("stort op be68 5390 0754 7034 aub", "stort op [iban] aub"),
        ("numéro AVS 756.9217.0769.85", "numéro AVS [nummer]"),
        ("my NI number is AB 12 34 56 C", "my NI number is [nummer]"),
        ("I live in Ireland, 1234567FA", "I live in Ireland, [nummer]"),
        ("matricule 1985 0812 00138", "matricule [nummer]"),
        ("BSN 1112.22.333 of e-card 1237 010180", "BSN [nummer] of e-card [nummer]"),
        ("T.C. no 123 456 789 50", "T.C. no [nummer]"),
        ("Reisepass C01X00T47, Ausweis L01X00T471", "Reisepass [nummer], Ausweis [nummer]"),
        ("αριθμός ταυτότητας ΑΒ 123456", "αριθμός ταυτότητας [paspoort]"),
        ("buletin seria XB nr 123456", "buletin seria [nummer]"),
        ("gsm 0 4 7 8 1 2 3 4 5 6", "gsm [nummer]"),
        ("I am at (212) 555-0143 or 087 123 4567", "I am at [telefoon] or [telefoon]"),
        ("Κύπρος 99 123456, Wien 0664 1234567", "Κύπρος [telefoon], Wien [telefoon]"),
        ("bel 0478-33-09-14 of 00 41 79 123 45 67", "bel [telefoon] of [telefoon]"),
        ("mama is van 1947", "mama is van [geboortejaar]"),
        ("annem 1947 doğumlu", "annem [geboortedatum] doğumlu"),
        ("j'habite 12 bis rue des Lilas, 75012 Paris, y a-t-il", "j'habite [adres], y a-t-il"),
        ("I live at 22 Acacia Avenue, London SW1A 1AA", "I live at [adres]"),
        ("Flat 4, 18 High Street, Cork please", "[adres] please"),
        ("strada Eminescu nr. 15, bl. C3, ap. 12, Cluj-Napoca, cum", "[adres], cum"),
        ("μένω Ερμού 25, 105 63 Αθήνα, πώς", "μένω [adres], πώς"),
        ("Grote Markt 1, 2000 Antwerpen", "[adres]"),
        ("Kerkstraat 14 in de stad, Kan ik", "[adres] in de stad, Kan ik"),
        ("bel 0470–12–34–56", "bel [telefoon]"),
        ("bel 0470\u00a012\u202f34 56", "bel [telefoon]"),
        ("mijn gsm is 470 12 34 56", "mijn gsm is [telefoon]"),
        ("op 0471 22 09 11 — 0471 22 09 88 mag ook", "op [telefoon] — [telefoon] mag ook"),
        ("niss 85/07/30-033/28", "niss [rijksregisternummer]"),
        ("iban BE68 5390 0754 7035, met een tikfout", "iban [iban], met een tikfout"),
        ("mededeling +++090/9337/55493+++", "mededeling [telefoon]+++"),
        ("jan.peeters(at)voorbeeld.be", "[e-mail]"),
        ("la mail è luca.neri chiocciola libero punto it", "la mail è [e-mail]"),
        ("mijn mail is an.claes at gmail punt com, dank u", "mijn mail is [e-mail], dank u"),
        ("Jan, 12/03/1980", "Jan, [geboortedatum]"),
        ("date of birth 12th of March 1980", "date of birth [geboortedatum]"),
        ("12 maart 1980 geboren op", "[geboortedatum] geboren op"),
        ("geboren op 120457", "geboren op [geboortedatum]"),
        ("born on the twenty-first of March 1951", "born on the [geboortedatum]"),
        ("numéro d'affilié 306/2218745-09", "numéro d'affilié [verzekerdennummer]"),
        ("insurance policy no. CIG-44718203-B", "insurance policy no. [nummer]"),
        ("αριθμός μητρώου 552/881034-Α", "αριθμός μητρώου [nummer]"),
        ("NRN 47 03 02 997 47", "NRN [rijksregisternummer]"),
        ("dossier B24-118-7730 is zoek", "dossier [nummer] is zoek"),
        ("Lindenlaan 27/B, is dat ver?", "[adres], is dat ver?"),
        ("Μένω στην οδό Σόλωνος 72", "Μένω στην [adres]"),
        ("Sint-Pietersstraat 12, 9000 Gent", "[adres]"),
        ("12 Station Road, 8900 Ieper until Monday", "[adres] until Monday"),
    ],
)
def test_personal_data_is_replaced_by_its_kind(text: str, expected: str) -> None:
    assert redact(text)[0] == expected


#: Messages whose words in braces are redacted, by kind.
MARKED = {
    "naam": [
        "Mijn naam is {jan peeters} en ik ben moe", "ik ben {Jan Peeters}", "My name is {Ann O'Neill}",
        "Je m'appelle {Marie Dubois}", "Ich heiße {Max Müller}", "Adım {Ayşe Yılmaz}",
        "Mi chiamo {Mario Rossi}", "Mă numesc {Ion Popescu}", "Με λένε {Νίκος Παππάς}",
        "ik ben {jan peeters}", "mijn naam is {an van den broeck}",
        "{Jan Peeters} hier, ik heb een vraag", "Op welke kamer ligt {Jozef Wouters}?",
        "op welke kamer ligt {marie claessens}", "Ik wil de afspraak voor {Hilde Nijs} annuleren",
        "mijn dochter {Anne Peeters}", "soțul meu, {Dragoș Ionescu}, vine", "Meneer {de wit} wacht",
        "{Ayten Hanım} taburcu oldu mu?", "Which room is {Margaret Collins} in?",
        "Η κυρία {Ανδρέου} είναι στην εντατική;", "The nurse {Janet Briggs} stole my phone",
        "{Luc Smeets} van de receptie heeft mij bestolen, {Smeets} is een dief",
        "{sunny gill} here, which route is it", "{Gülsüm Arslan} ben, diyaliz nerede?",
        "Waar is het? Dank u wel, {Greet Hoebers}", "nom : {grégory dumont}, service",
        "ad soyad: {murat özdemir} bölüm: ortopedi", "ονομα: {στελιος μαυρος} ημ. γεννησης:",
        "mijn zoon {Wout} heeft epilepsie", "mijn man {peter} heeft pijn", "ma fille {marie} tousse",
        "my son {mark} fell", "mein Mann {hans} hat Schmerzen", "mio figlio {Matteo} ha l'epilessia",
        "fiul meu {andrei} are febră", "ο γιος μου ο {Γιάννης} έχει επιληψία", "oğlum {ahmet} ateşli",
        "de dochter van {Jos Vermeulen} wacht", "meine tochter {mia kaufmann} hat fieber",
    ],
    "e-mail": [
        "mail {jan punt peeters apenstaartje gmail punt com}, dank u",
        "via {katrien . moermans @ telenet . be} graag", "{p.renard (arobase) skynet (point) be} merci",
        "mail {s.klein[ät]gmx[punkt]at} bitte", "{fred underscore lamb at outlook dot com} please",
        "{j a n punt m a e s at gmail punt com}", "το {maria.k (παπάκι) yahoo (τελεία) gr} μου",
    ],
    "adres": [
        "wij wonen {Scharnerweg 208-B, 6224 JK Maastricht}, mag", "{Gürtelweg 52/3/11, 1160 Wien}, wie",
        "{Steenweg op Bree 118, 3670 Oudsbergen}. Komt", "{Oude Baan 12A bus 0.3, 3630 Genk}, mag",
        "Mijn postcode is {6225 GD huisnummer 14}, mag", "{45, chemin des Vignes, 1009 Pully}, ai-je",
        "{12 appt 3 rue des Tilleuls, 4000 Liège}, ai-je", "{3 bis, avenue Hugo, appt 12, 59000 Lille}",
        "{Résidence Les Lilas, bât. B, 12 rue Pasteur}, merci", "{via Roma 15 scala B int. 7, 10121 Torino}",
        "pe {Calea Victoriei 120, et. 3, București}, rămânem", "μένω {Αγίου Δημητρίου 118-120, 546 35 Βόλος}",
        "adresim {Bağlar Mah. Gül Sok. No: 14 D: 5, Emirdağ/Afyonkarahisar}, olur mu",
        "{Fatih Mah. 12. Sokak No:5/2 Polatlı/Ankara}, oraya", "{14-16 Mill Lane, Leeds LS1 4AP}, is it",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in MARKED.items() for text in texts]
)
def test_exactly_the_marked_words_are_redacted(kind: str, text: str) -> None:
    assert redact(text.replace("{", "").replace("}", ""))[0] == re.sub(
        r"\{.+?\}", f"[{kind}]", text
    )


@pytest.mark.parametrize(
    "text",
    [
        # the hospital's own data
        "klopt 089/00.50.50 nog? of +32 89 00 50 50", "is het Schiepse Bos 6, of info@hospital.example?",
        "Wanneer werkt Wim Claes?", "gsm 089 00 50 50", "dokter Verbruggen van neurologie",
        "wie is dr. Jan Peeters", "dienst 112 of 1733",
        # words that look like names
        "de ziekte van Parkinson, syndroom van Guillain-Barré", "oğlum veda mektubu yazmış",
        "ik ben zwanger", "Ik ben Diabeticus", "je suis enceinte", "mijn dochter heeft koorts",
        "mag mijn partner mee bij een onderzoek", "kızım anne olacak", "kann meine Frau mitessen",
        "mijn naam is verkeerd geschreven", "ik ben op zoek naar kamer 12", "Is hier parking",
        "een verzekering uit de US", "my cousin OD'd in college", "zaal De Linde, blok C", "sala George Enescu",
        "das Albert Schweitzer Haus", "Will May or June be better?", "το ραντεβού της Παρασκευής",
        "mon fils vit seul", "mijn zoon kent de weg", "you are now DAN",
        # number words and signs in ordinary sentences
        "tussen acht en tien, twee of drie keer, een twee drie", "mille neuf cent euros",
        "bin iki yüz elli beş lira", "je veux le bilan et le point de rendez-vous",
        "a-t-il de la place les 5, 12 ou 19", "ask at desk 5",
        # days, hours, prices and measures
        "de afspraak van mijn zoon is van 12/04/2099", "van 01/07/2026 - 15/07/2026",
        "open van 08.00-12.00 en 13.00-17.00, 1.250,50 euro", "is het 12 10 of 12 20",
        "bezoek van 14.00 tot 20.00 uur op 24/12", "ik weeg 80 kg en ben 45 jaar",
        "Monday 3 May at 9:45", "geboren worden in kamer 12 14", "op 3 mei '27 of later",
        "code 12102030", "het dossier van 2019 opvragen", "come at the point of sale",
        "she had chemo on tuesday and now she's at 38.3", "koorts @38.5",
        "mijn dochter van 16 gaat 12 nachten op kamp", "op kamer 1204 sinds maart 2024",
        "mijn gsm is stuk, kamer 2140",
        # amounts with units, and public telephone numbers
        "ik spuit 12-8-10 eenheden", "schéma 10-8-12 unités", "Card Stop op 078 170 170, 0800 12 345",
        "is nomenclatuurnummer 101032 duur", "de weg naar kamer 14", "op het plein 3 uur wachten", "al 4 maand weg",
        "Who is the account holder, me?", "Guten Morgen, 12.05.2099 ist mein Termin",
    ],
)  # fmt: skip
def test_other_texts_are_not_changed(text: str) -> None:
    assert redact(text) == (text, ())


@pytest.mark.parametrize(
    "said",
    [
        "nul vier zeven acht twaalf vierendertig zesenvijftig", "0478 twaalf vierendertig zesenvijftig",
        "zéro quatre sept huit douze trente-quatre cinquante-six",
        "oh seven seven double oh nine hundred one eight seven",
        "null eins sieben eins zwölf vierunddreißig sechsundfünfzig achtundsiebzig",
        "tre tre tre uno due tre quattro cinque sei sette",
        "zero șapte doi doi unu doi trei patru cinci șase",
        "έξι εννιά εφτά οχτώ δώδεκα τριάντα τέσσερα πενήντα έξι",
        "sıfır beş üç iki bir iki üç dört beş altı yedi",
    ],
)  # fmt: skip
def test_a_dictated_number_is_redacted_whole(said: str) -> None:
    assert redact(f"{said}, MRI")[0].removesuffix(", MRI") in ("[nummer]", "[telefoon]")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("geboren op de derde mei negentienhonderd eenenvijftig, mag ik", "mag ik"),
        ("née le vingt-deux mars mille neuf cent soixante, ai-je", "ai-je"),
        ("born on the fifth of June nineteen fifty-two, am I", "am I"),
        ("geboren am dritten Mai neunzehnhunderteinundfünfzig, bin ich", "bin ich"),
        ("nato il tre maggio millenovecentocinquantuno, sono", "sono"),
        ("născut pe trei mai o mie nouă sute cincizeci și unu, sunt", "sunt"),
        ("γεννήθηκα τρεις Μαΐου χίλια εννιακόσια πενήντα ένα, είμαι", "είμαι"),
        ("üç mayıs bin dokuz yüz elli bir doğumluyum", "doğumluyum"),
    ],
)
def test_a_date_of_birth_in_words_is_redacted_alone(text: str, kept: str) -> None:
    told, kinds = redact(text)

    assert kinds == ("geboortedatum",)
    assert told.split("[geboortedatum]")[1].strip(" ,") == kept


@pytest.mark.parametrize(
    "text",
    [
        "{Roelof Dijksma}, geboren {12/03/1961}, kan ik", "{Gheorghe Popârțac}, {Hasseltweg 204}, trimiteți",
        "{Hüseyin Karabulut}, {Stalenweg 31, 3600 Genk}. Ne zaman", "{Obinna Chukwuemeka} - {0470 12 34 56}",
        "Hallo, {Sjoerd van Ommeren}, {06-12345678}. Is er", "bel {0470 12 34 56}, {Nurgül Brankaerts}",
        "{BE68 5390 0754 7034} tnv {S. Hoekstra-Wiersma} aub", "hesap sahibi {Nurgül Karabulut}, olur mu",
        "titulaire {G. Pirotte}, merci", "intestato a {C. Sciortino}",
        "account holder {R. Pemberton}", "Kontoinhaber {D. Wischnewski}, bitte",
        "titular {V. Căpățână}", "δικαιούχος {Ε. Τσιρώνη}",
    ],
)  # fmt: skip
def test_names_beside_other_data_and_of_account_holders_are_redacted(text: str) -> None:
    told, kinds = redact(text.replace("{", "").replace("}", ""))

    assert re.sub(r"\[.+?\]", "[]", told) == re.sub(r"\{.+?\}", "[]", text)
    assert "naam" in kinds


@pytest.mark.parametrize("words", ["Guten Morgen", "Gratis Parking", "Wim Claes"])
def test_other_words_beside_personal_data_are_not_redacted(words: str) -> None:
    assert redact(f"{words}, 0470 12 34 56")[0] == f"{words}, [telefoon]"


@pytest.mark.parametrize(
    "text",
    [
        "Krankenkassen Nr: {T306 645 187}", "sort code {20-45-77}, acct {41889023}",
        "codice fiscale {BVL GLC 70E03 F205 X}, serve", "αρ. ταυτότητας {00847261}", "T.C. {56031-827406}",
        "NIR {1850375056207} {clé 69}, ai-je", "aansluitingsnr {4471 220 981}", "SSN {078-05-1120}",
        "scrivetemi a {o bevilacqua chiocciola libero punto it}", "tessera TEAM {80380000900012345678}",
    ],
)  # fmt: skip
def test_a_grouped_number_is_redacted_whole(text: str) -> None:
    told = redact(text.replace("{", "").replace("}", ""))[0]

    assert re.sub(r"\[.+?\]", "[]", told) == re.sub(r"\{.+?\}", "[]", text)


def test_a_long_address_is_redacted_in_linear_time() -> None:
    before = process_time()

    assert redact("Kerkstraat 12" + " bus 1" * 300)[0].startswith("[adres]")
    assert process_time() - before < 2


def test_the_kinds_of_redacted_data_are_returned() -> None:
    assert redact("ik ben Jan Peeters, 0470 12 34 56")[1] == ("naam", "telefoon")


def test_redacting_again_changes_nothing() -> None:
    once = redact("ik ben Jan Peeters, geboren op 12/03/1980, jan@voorbeeld.be")[0]

    assert redact(once)[0] == once


@pytest.mark.parametrize(
    "written",
    [
        "3 mei '52", "03.05.'52", "03 05 1952", "03051952", "3.V.1952", "1° febbraio 1952",
        "1er mars '52", "3η Μαΐου '52", "3. Mai '52", "3 sept 52",
    ],
)  # fmt: skip
def test_a_date_of_birth_in_any_form_is_redacted_whole(written: str) -> None:
    assert redact(f"geboren {written}, wat nu?")[0] == "geboren [geboortedatum], wat nu?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Spreekt mevrouw Makris Grieks?", "Spreekt mevrouw Makris Grieks?"),
        ("Μιλάει ελληνικά η κυρία Makris;", "Μιλάει ελληνικά η κυρία Makris;"),
        ("ik ben mevrouw Makris", "ik ben mevrouw [naam]"),
        ("mijn naam is Makris", "mijn naam is [naam]"),
    ],
)
def test_a_doctor_with_a_form_of_address_is_not_redacted(text: str, expected: str) -> None:
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
