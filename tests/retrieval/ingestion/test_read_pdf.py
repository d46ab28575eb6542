"""A PDF is read as people read its pages: column by column, without what every page repeats."""

import io
import re

import pytest
from reportlab.pdfgen.canvas import Canvas

from retrieval.reading.blocks import Sort
from retrieval.reading.pdf import read_pdf
from tests.files import Sheet, sheets

BODY = (
    "Kom op tijd naar de raadpleging en breng uw kaart mee.",
    "Meld u aan bij het onthaal en neem plaats in de wachtzaal.",
    "Na het onderzoek krijgt u een afspraak voor het gesprek.",
)


def said(*pages: Sheet) -> str:
    return "\n".join(block.text for block in read_pdf(sheets(*pages)))


def down(x: float, y: float, *texts: str, size: float = 11, step: float = 15):
    """Lines below each other."""
    return [(x, y + step * number, text, size) for number, text in enumerate(texts)]


def wrapped(text: str) -> str:
    """What is left of a text whose lines end at each bar."""
    return said(Sheet(down(70, 100, *text.split("|"))))


# Furniture


def pages_with(edge, count: int, *, y: float = 810, size: float = 9):
    """Pages whose text differs, each with a line of its own at an edge."""
    return [
        Sheet([*down(70, 120, f"Hoofdstuk over {word}.", *BODY), (70, y, edge(number), size)])
        for number, word in zip(range(1, count + 1), WORDS, strict=False)
    ]


WORDS = ("slaap", "voeding", "beweging", "pijn", "medicatie", "ontslag", "bezoek", "vervoer")


@pytest.mark.parametrize("count", [2, 3, 6])
@pytest.mark.parametrize(
    "edge",
    ["{}", "- {} -", "blz. {}", "Voetkliniek - Seite {}", "Page {} of %d", "{} / %d", "σελίδα {}"],
)
@pytest.mark.parametrize("y", [40, 810])
def test_the_number_of_the_page_is_not_read(edge, count, y):
    edge = edge.replace("%d", str(count))
    text = said(*pages_with(edge.format, count, y=y))

    for number in range(1, count + 1):
        assert edge.format(number) not in text.split("\n")
    assert all(word in text for word in WORDS[:count])


@pytest.mark.parametrize(
    "edge",
    [
        lambda n: f"Tel. 012 00 44 {n}{n}",
        lambda n: f"Maandag van {n + 7}.00 tot {n + 10}.00 uur",
        lambda n: f"Neem {n * 250} mg per dag",
        lambda n: f"Prijs: {n * 5} euro",
        lambda n: f"Raadpleging op {n + 11} maart 2026",
        lambda n: f"Kamer {n + 100}, tel. 012 00 44 55",
    ],
)
@pytest.mark.parametrize("count", [2, 3, 6])
@pytest.mark.parametrize("y", [40, 810])
def test_a_line_at_the_edge_that_differs_in_another_number_is_read(edge, count, y):
    text = said(*pages_with(edge, count, y=y))

    assert all(edge(number) in text for number in range(1, count + 1))


@pytest.mark.parametrize(
    ("edge", "gone"),
    [
        (lambda n: "Ziekenhuis Noord - Voetkliniek", ["Ziekenhuis Noord"]),
        (lambda n: ("Map heup", "Kliniek Linde")[n % 2], ["Map heup", "Kliniek Linde"]),
        (lambda n: f"Opnamegids ~ {n} ~ De Linde", ["Opnamegids"]),
    ],
    ids=["of all", "of the left and of the right ones", "with the number amidst words"],
)
def test_the_header_of_many_pages_is_not_read(edge, gone):
    text = said(*pages_with(edge, 6, y=40))

    assert not [each for each in gone if each in text]
    assert "Hoofdstuk over ontslag" in text


def test_a_foreword_whose_pages_are_counted_by_themselves_has_no_numbers():
    lines = said(*pages_with(lambda n: ("i", "ii", "iii", "1", "2", "3")[n - 1], 6)).split("\n")

    assert not {"i", "ii", "iii", "1", "2", "3"} & set(lines)


def test_a_telephone_number_in_the_footer_of_every_page_is_read_once():
    text = said(*pages_with(lambda n: "Voetkliniek - tel. 012 00 44 55", 6))

    assert text.count("012 00 44 55") == 1


@pytest.mark.parametrize("size", [11, 16])
def test_a_number_that_counts_with_the_pages_over_their_text_is_content(size):
    text = said(
        *(
            Sheet([(70, 50, f"Dag {n}", size), *down(70, 50 + size + 4, *BODY)])
            for n in (1, 2, 3, 4)
        )
    )

    assert all(f"Dag {n}" in text for n in (1, 2, 3, 4))


def test_the_same_first_line_of_the_text_of_many_pages_is_content():
    text = said(*(Sheet(down(70, 90, *BODY, f"Over {word}.")) for word in WORDS))

    assert text.count(BODY[0]) == len(WORDS)


def test_what_two_or_three_pages_have_in_common_is_content():
    for count in (2, 3):
        text = said(*pages_with(lambda n: "Bel 012 00 44 55 bij koorts.", count, y=60, size=11))

        assert "Bel 012 00 44 55 bij koorts." in text


def test_a_sentence_in_the_middle_of_many_pages_is_content():
    line = "Bel ons bij twijfel."
    text = said(
        *(
            Sheet([*down(70, 120, f"Over {word}.", *BODY), (70, 400, line), (300, 815, f"{n}")])
            for n, word in enumerate(WORDS, 1)
        )
    )

    assert text.count(line) == len(WORDS)


# Reading order

LEFT = (
    "U mag na twee dagen douchen.",
    "Neem geen bad gedurende drie",
    "weken. Verwissel het verband",
    "elke dag.",
)
MIDDLE = (
    "Bel de dienst op 012 00 44 55",
    "bij koorts boven 38 graden.",
    "Het aantal bezoekers is beperkt",
    "tot twee per patiënt.",
)
RIGHT = (
    "Breng de kaart van uw huisarts",
    "mee en een lijst van alles wat",
    "u inneemt. Parkeren kan achter",
    "het gebouw.",
)


def flat(text: str) -> str:
    return " ".join(text.split())


TWO_COLUMNS = [*down(70, 100, *LEFT), *down(320, 100, *MIDDLE)]
OPERATION = (150, 60, "Na uw operatie aan de voet of de enkel", 16)
BELOW = "Hebt u nog vragen na het lezen van deze folder over uw operatie, vraag ze"
BAR, BOX = (
    ("Voetkliniek", "Tel. 012 00 44 55", "Route 12", "Campus Noord"),
    ("Bij koorts boven 38 graden belt", "u de dienst op 012 00 44 55."),
)
SHORT = (
    "Druppel vóór de ingreep uw oog vier",
    "keer per dag. Draag geen schmink en",
    "geen parfum.",
)
LONG = ("De ingreep duurt twintig minuten.", "U blijft wakker maar voelt geen pijn.")
#: What stands on a sheet, and what is read in one go.
ORDERS = {
    "two columns": (Sheet(TWO_COLUMNS), [(*LEFT, *MIDDLE)]),
    "lines at other heights": (
        Sheet([*down(70, 100, *LEFT), *down(320, 107, *MIDDLE, step=17)]), [(*LEFT, *MIDDLE)],
    ),
    "three columns": (
        Sheet([*down(40, 100, *LEFT, size=9), *down(215, 100, *MIDDLE, size=9), *down(390, 100, *RIGHT, size=9)]),
        [(*LEFT, *MIDDLE, *RIGHT)],
    ),
    "a heading over columns first and text below them last": (
        Sheet([OPERATION, *TWO_COLUMNS, *down(70, 200, BELOW)]), [("enkel", *LEFT, *MIDDLE, "Hebt u nog")],
    ),
    "a heading in the midst parts them": (
        Sheet([*TWO_COLUMNS, (70, 190, "Wat u op de dag van de opname zelf meebrengt", 16),
               *down(70, 220, *RIGHT), *down(320, 220, *reversed(BODY), size=8)]),
        [(*LEFT, *MIDDLE, "Wat u op"), ("zelf meebrengt", *RIGHT)],
    ),
    "so does a short one": (
        Sheet([*TWO_COLUMNS, (70, 195, "Thuis", 16), *down(70, 230, *RIGHT),
               *down(320, 230, "Rufen Sie uns unter 55 an.", "Das Kind trinkt acht Mal.")]),
        [(*LEFT, *MIDDLE, "Thuis")],
    ),
    "one in the middle is none of a row of headings": (
        Sheet([(208, 60, "Waar moet ik zijn?", 17), (70, 100, "Gelijkvloers", 12), (320, 100, "Verdieping", 12),
               *down(70, 122, *LEFT), *down(320, 122, *MIDDLE)]),
        [("zijn? Gelijkvloers", *LEFT, "Verdieping", *MIDDLE)],
    ),
    "sentences of a line each": (
        Sheet([*down(70, 100, *SHORT), *down(320, 100, *LONG)]), [(*SHORT, *LONG)],
    ),
    "headings within columns": (
        Sheet([(70, 100, "Thuis", 15), *down(70, 130, *LEFT), (320, 100, "Bezoek", 15), *down(320, 130, *MIDDLE)]),
        [("Thuis", *LEFT, "Bezoek", *MIDDLE)],
    ),
    "a sidebar at the right": (
        Sheet([*down(70, 100, *LEFT, *RIGHT), *down(400, 100, *BAR)]), [(*LEFT, *RIGHT), BAR],
    ),
    "a sidebar at the left": (
        Sheet([*down(220, 100, *LEFT, *RIGHT), *down(40, 100, *BAR)]), [(*LEFT, *RIGHT), BAR],
    ),
    "a box beside text": (
        Sheet([*down(70, 100, *LEFT, *RIGHT), *down(330, 120, *BOX)], boxes=[(322, 100, 220, 45)]),
        [(*LEFT, *RIGHT), BOX],
    ),
    "boxes side by side": (
        Sheet([*down(75, 115, *LEFT), *down(305, 115, *MIDDLE)], boxes=[(70, 100, 220, 70), (300, 100, 220, 70)]),
        [(*LEFT, *MIDDLE)],
    ),
    "a frame around the page": (Sheet(TWO_COLUMNS, boxes=[(20, 20, 555, 802)]), [(*LEFT, *MIDDLE)]),
    "a table in a column and in a box": (
        Sheet([*TWO_COLUMNS, *down(320, 260, *RIGHT)],
              [(320, 160, (80, 80), (("Dag", "Uren"), ("Maandag", "9-12"), ("Dinsdag", "13-17")))],
              [(310, 80, 240, 240)]),
        [LEFT, (*MIDDLE, "Maandag | 9-12 Dinsdag | 13-17", *RIGHT)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("sheet", "orders"), ORDERS.values(), ids=ORDERS)
def test_the_order_of_reading(sheet, orders):
    text = flat(said(sheet))

    for order in orders:
        assert " ".join(order) in text


def test_large_letters_over_columns_are_a_heading():
    assert read_pdf(sheets(Sheet([OPERATION, *TWO_COLUMNS])))[0].sort is Sort.HEADING


@pytest.mark.parametrize(
    ("names", "values", "left", "right"),
    [
        (("Maandag", "Dinsdag", "Woensdag"), ("9.00 - 12.00", "8.30 - 11.00", "gesloten"), 70, 300),
        (("Dr. Jan Peeters en Dr. An Claes", "Dr. Luc Van der Aa", "Dr. Mia De Wit, diensthoofd"),
         ("Maandag van 9.00 tot 12.00 uur", "Dinsdag na afspraak op 012 00 44 55", "Vrijdag van 13.00 tot 16.00 uur"), 50, 320),
    ],
    ids=["short cells", "long cells"],
)  # fmt: skip
def test_a_table_without_lines_keeps_its_rows(names, values, left, right):
    text = said(Sheet([*down(left, 100, *names), *down(right, 100, *values)]))

    for name, value in zip(names, values, strict=True):
        assert re.search(f"{re.escape(name)}[ |]+{value}", text)


def test_a_table_without_lines_whose_cells_take_two_lines_keeps_its_rows():
    cells = {
        "Maandag": ("van 9.00 tot 12.00 uur en na", "afspraak ook in de namiddag"),
        "Dinsdag": ("van 13.00 tot 17.00 uur, niet", "tijdens de schoolvakanties"),
        "Vrijdag": ("gesloten",),
    }
    lines, y = [], 100
    for day, texts in cells.items():
        lines += [(70, y, day), *down(200, y, *texts)]
        y += 15 * len(texts)
    text = said(Sheet(lines))

    assert all(f"{day} {' '.join(texts)}" in text for day, texts in cells.items())


@pytest.mark.parametrize(
    ("left", "right", "over", "whole"),
    [
        (RIGHT[:3], ("het gebouw. Bel de dienst op", "012 00 44 55 bij koorts. U mag", "na twee"), "dagen douchen.",
         ["Parkeren kan achter het gebouw.", "U mag na twee dagen douchen."]),
        ((*RIGHT[:2], "u slikt. Bel uw zieken-"), ("huis op dinsdag. U mag na", "twee dagen dou-"), "chen en wandelen.",
         ["ziekenhuis op dinsdag", "dagen douchen"]),
    ],
    ids=["a sentence", "a word"],
)  # fmt: skip
def test_what_goes_on_in_the_next_column_or_on_the_next_page_is_one(left, right, over, whole):
    first = Sheet([*down(70, 100, *left), *down(320, 100, *right)])
    text = said(first, Sheet(down(70, 100, over)))

    assert all(each in text for each in whole)


# Letters


@pytest.mark.parametrize("times", [2, 3])
@pytest.mark.parametrize("shift", [(0, 0), (0.3, 0), (0.7, 0), (0.4, -0.4)])
@pytest.mark.parametrize("size", [8, 11, 20])
def test_letters_drawn_more_than_once_are_read_once(times, shift, size):
    text = "Bezoekuren 14 tot 20 uur, bel 011 22 33 44, alle zalen"
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.setFont("Helvetica", size)
    for number in range(times):
        canvas.drawString(20 + number * shift[0], 700 + number * shift[1], text)
    canvas.save()

    assert text in "\n".join(block.text for block in read_pdf(file.getvalue()))


def test_raised_figures_do_not_run_into_the_hour():
    text = said(Sheet([(70, 100, "Open van 8"), (128, 97, "30", 7), (140, 100, "tot 12 uur.")]))

    assert "830" not in text


# Words at the end of a line


@pytest.mark.parametrize(
    ("lines", "right"),
    [
        # Broken at the end of a line.
        ("De voet-|zorg en de voet-|oefening zijn gratis.", "De voetzorg en de voetoefening zijn"),
        ("Wij bespreken de opname-|duur en de op-|nameduur met u.", "de opnameduur en de opnameduur"),
        ("Vous devez prendre vos médica-|ments le matin avant l'opé-|ration.", "médicaments le matin avant l'opération"),
        ("Lütfen ilaçları-|nızı hasta-|neye getirin ve bize söyleyin.", "ilaçlarınızı hastaneye"),
        ("Vă rugăm să aduceți medica-|mentele la spi-|tal în ziua internării.", "medicamentele la spital"),
        ("Bij de dienst kunt u zich in- en uit-|schrijven of voor- en|nadelen zien.", "in- en uitschrijven of voor- en nadelen"),
        ("Sie können hier ein-|und auszahlen und die Vor-|und Nachteile lesen.", "ein- und auszahlen und die Vor- und Nachteile"),
        ("Les soins pré-|et postopératoires sont donnés dans le service.", "pré- et postopératoires"),
        ("Îngrijirea pre-|și postoperatorie este în secția de chirurgie.", "pre- și postoperatorie"),
        ("Οδηγίες προ-|και μετεγχειρητικές για τους ασθενείς του νοσοκομείου.", "προ- και μετ"),
        ("Allow a two-|to three-hour stay. You can go home the same day.", "a two- to three-hour stay"),
        ("Bu hastane için kah-|ve ve mey-|ve çok güzel olarak.", "kahve ve meyve"),
        # Compounds with a hyphen of their own.
        ("Een MRI-|onderzoek en een CT-|scan duren lang. Stuur een e-|mail.", "MRI-onderzoek en een CT-scan duren lang. Stuur een e-mail."),
        ("Een nicht-|invasiver Eingriff und eine MRT-|Untersuchung sind für Sie.", "nicht-invasiver Eingriff und eine MRT-Untersuchung"),
        ("This is a high-|quality and low-|dose scan that you can have.", "high-quality and low-dose scan"),
        ("Het vaccin tegen COVID-|19 en vitamine B-|12 krijgt u van ons.", "COVID-19 en vitamine B-12"),
        ("Maandag van 9-|12 uur, bel 011-|22 33 44 of kom langs.", "van 9-12 uur, bel 011-22 33 44"),
        ("Dit is een zin -|met een streepje - en meer.", "een zin - met een streepje - en"),
        # Signs that are hyphens as well.
        ("Onze rug\u00adschool is open. Een MRI\u00ad|scan is dat van 9\u00ad12 uur.", "rugschool is open. Een MRI-scan is dat van 9-12"),
        ("Een e\u2011mail naar de dienst en een X\u2011|straal voor u.", "e-mail naar de dienst en een X-straal"),
    ],
)  # fmt: skip
def test_a_word_at_the_end_of_a_line_is_read_as_it_is_spelt(lines, right):
    assert right in wrapped(lines)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("De nazorgdienst belt u. Vraag het de nazorg-|dienst zelf.", "het de nazorgdienst zelf"),
        ("De nazorg-dienst belt u. Vraag het de nazorg-|dienst zelf.", "het de nazorg-dienst zelf"),
        ("La feuille post-opératoire et le soin postopératoire. Un suivi post-|opératoire.", "suivi post-opératoire"),
    ],
    ids=["together", "with a hyphen", "both ways"],
)  # fmt: skip
def test_what_the_document_writes_elsewhere_decides(written, read):
    assert read in wrapped(written)


def test_ligatures_are_letters():
    assert "officiële certificaat" in wrapped("Het o\ufb03ciële certi\ufb01caat is van ons.")


# Tables


def rows(*pages: Sheet) -> list[tuple[str, str]]:
    found = read_pdf(sheets(*pages))
    return [(block.header, block.text) for block in found if block.sort is Sort.ROW]


WIDTHS = (120, 100, 100)
PRICES = (("Eenpersoons", "40 euro", "55 euro"), ("Tweepersoons", "0 euro", "12 euro"))
MORE = (("Suite", "90 euro", "120 euro"), ("Dagkamer", "15 euro", "25 euro"))
NAMES = ("Kamer", "Lid", "Geen lid")


@pytest.mark.parametrize("again", [(), (NAMES,)])
@pytest.mark.parametrize("number", ["", "blz. {}"])
def test_a_table_that_goes_on_over_pages_has_one_header(again, number):
    tops = (NAMES, *PRICES), (*again, *MORE), (*again, ("Kinderkamer", "5 euro", "10 euro"))
    places = ((page, 680 if page == 1 else 60, top) for page, top in enumerate(tops, 1))
    found = rows(*(Sheet([(70, 815, number.format(page), 8)], [(70, y, WIDTHS, top)])
                   for page, y, top in places))  # fmt: skip

    assert {header for header, _ in found} == {"| Kamer | Lid | Geen lid"}
    assert [row.split(" |")[0] for _, row in found] == [
        "Eenpersoons", "Tweepersoons", "Suite", "Dagkamer", "Kinderkamer",
    ]  # fmt: skip


OTHER = (("Dienst", "Ochtend", "Middag"), ("Spoed", "open", "open"))
JOINED = "| Kamer | Prijs per dag – Lid | Prijs per dag – Geen lid"
TABLES = {
    "of other columns on the next page": (
        [Sheet(grids=[(70, 700, WIDTHS, (NAMES, *PRICES))]),
         Sheet(grids=[(70, 60, (120, 200), (("Dag", "Uren"), ("Maandag", "9.00-12.00")))])],
        [("| Dag | Uren", "Maandag | 9.00-12.00")],
    ),
    "with text between it and the next": (
        [Sheet(grids=[(70, 700, WIDTHS, (NAMES, *PRICES))]),
         Sheet([(70, 70, "Openingsuren van de diensten:")], [(70, 90, WIDTHS, OTHER)])],
        [("| Dienst | Ochtend | Middag", "Spoed | open | open")],
    ),
    "with merged cells": (
        [Sheet(grids=[(70, 100, WIDTHS, (("Kamer", "Prijs per dag", None), ("^", "Lid", "Geen lid"),
                                         ("Eenpersoons", "40 euro", "55 euro"), ("^", "45 euro", "60 euro")))])],
        [(JOINED, "Eenpersoons | 40 euro | 55 euro"), (JOINED, "Eenpersoons | 45 euro | 60 euro")],
    ),
    "with an empty first cell": (
        [Sheet(grids=[(70, 100, WIDTHS, (("", "Maandag", "Dinsdag"), ("Dr. Claes", "9-12", "14-17"), ("", "13-15", "18-20")))])],
        [("|  | Maandag | Dinsdag", "Dr. Claes | 9-12 | 14-17"), ("|  | Maandag | Dinsdag", "– | 13-15 | 18-20")],
    ),
    "with lines in a cell": (
        [Sheet(grids=[(70, 100, WIDTHS, (("Dienst", "Uren", "Bel"), ("Voetkliniek", "9-12\n14-17", "44")))])],
        [("| Dienst | Uren | Bel", "Voetkliniek | 9-12, 14-17 | 44")],
    ),
    "of names and values": (
        [Sheet(grids=[(70, 100, (120, 150), (("Telefoon", "012 00 44 55"), ("Route", "12"), ("Openingsuren", "9-12")))])],
        [("", "Telefoon | 012 00 44 55"), ("", "Route | 12"), ("", "Openingsuren | 9-12")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("pages", "last"), TABLES.values(), ids=TABLES)
def test_a_table(pages, last):
    assert rows(*pages)[-len(last) :] == last


def test_a_long_footer_does_not_make_headings_of_short_pages():
    footer = "Ziekenhuis De Beuk vzw, Beukenlaan 12, 9990 Beukstad, www.ziekenhuis-de-beuk.example"
    hours = ("8.15", "9.40", "10.25", "13.50")
    pages = [
        Sheet([(60, 100, f"Zaal {word}", 14), (60, 130, f"De raadpleging begint om {hour} uur", 10),
               (60, 800, footer, 8)])
        for hour, word in zip(hours, WORDS, strict=False)
    ]  # fmt: skip

    blocks = read_pdf(sheets(*pages))

    assert [block.text for block in blocks if block.sort is Sort.HEADING] == [
        f"Zaal {word}" for word in WORDS[: len(hours)]
    ]
    assert all(
        f"De raadpleging begint om {hour} uur" in [block.text for block in blocks] for hour in hours
    )


def test_what_is_set_in_large_letters_at_the_end_is_read():
    text = said(Sheet([*down(70, 100, *BODY), *down(70, 300, "Samen sterk", "Bel ons", size=20)]))

    assert "Samen sterk" in text
    assert "Bel ons" in text
