"""A PDF is read as people read its pages: column by column, without what every page repeats."""

from __future__ import annotations

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


def test_a_header_of_many_pages_is_not_read():
    text = said(*pages_with(lambda n: "Ziekenhuis Noord - Voetkliniek", 6, y=40))

    assert "Ziekenhuis Noord" not in text
    assert "Hoofdstuk over ontslag" in text


def test_the_header_of_the_left_and_of_the_right_pages_is_not_read():
    text = said(*pages_with(lambda n: ("Map heup", "Kliniek Linde")[n % 2], 6, y=40))

    assert "Map heup" not in text
    assert "Kliniek Linde" not in text


def test_the_number_of_the_page_between_signs_amidst_words_is_not_read():
    text = said(*pages_with(lambda n: f"Opnamegids ~ {n} ~ De Linde", 4, y=40))

    assert "Opnamegids" not in text


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


def test_two_columns_are_read_one_after_the_other():
    text = flat(said(Sheet([*down(70, 100, *LEFT), *down(320, 100, *MIDDLE)])))

    assert f"{' '.join(LEFT)} {' '.join(MIDDLE)}" in text


def test_columns_whose_lines_stand_at_other_heights_are_read_one_after_the_other():
    text = flat(said(Sheet([*down(70, 100, *LEFT), *down(320, 107, *MIDDLE, step=17)])))

    assert f"{' '.join(LEFT)} {' '.join(MIDDLE)}" in text


def test_three_columns_are_read_one_after_the_other():
    columns = [
        *down(40, 100, *LEFT, size=9),
        *down(215, 100, *MIDDLE, size=9),
        *down(390, 100, *RIGHT, size=9),
    ]

    assert f"{' '.join(LEFT)} {' '.join(MIDDLE)} {' '.join(RIGHT)}" in flat(said(Sheet(columns)))


def test_a_heading_over_columns_comes_first_and_text_below_them_last():
    lines = [
        (150, 60, "Na uw operatie aan de voet of de enkel", 16),
        *down(70, 100, *LEFT),
        *down(320, 100, *MIDDLE),
        *down(70, 200, "Hebt u nog vragen na het lezen van deze folder over uw operatie, vraag ze"),
    ]
    blocks = read_pdf(sheets(Sheet(lines)))

    assert blocks[0].sort is Sort.HEADING
    text = flat("\n".join(block.text for block in blocks))
    assert f"enkel {' '.join(LEFT)} {' '.join(MIDDLE)} Hebt u nog" in text


def test_a_heading_in_the_midst_of_columns_parts_them():
    lines = [
        *down(70, 100, *LEFT),
        *down(320, 100, *MIDDLE),
        (70, 190, "Wat u op de dag van de opname zelf meebrengt", 16),
        *down(70, 220, *RIGHT),
        *down(320, 220, *reversed(BODY), size=8),
    ]
    text = flat(said(Sheet(lines)))

    assert f"{' '.join(LEFT)} {' '.join(MIDDLE)} Wat u op" in text
    assert f"zelf meebrengt {' '.join(RIGHT)}" in text


def test_a_short_heading_in_the_midst_of_columns_parts_them():
    lines = [
        *down(70, 100, *LEFT),
        *down(320, 100, *MIDDLE),
        (70, 195, "Thuis", 16),
        *down(70, 230, *RIGHT),
        *down(320, 230, "Rufen Sie uns unter 55 an.", "Das Kind trinkt acht Mal."),
    ]
    text = flat(said(Sheet(lines)))

    assert f"{' '.join(LEFT)} {' '.join(MIDDLE)} Thuis" in text


def test_a_heading_in_the_middle_over_columns_with_headings_is_none_of_their_row():
    lines = [
        (208, 60, "Waar moet ik zijn?", 17),
        (70, 100, "Gelijkvloers", 12),
        (320, 100, "Verdieping", 12),
        *down(70, 122, *LEFT),
        *down(320, 122, *MIDDLE),
    ]
    text = flat(said(Sheet(lines)))

    assert f"zijn? Gelijkvloers {' '.join(LEFT)} Verdieping {' '.join(MIDDLE)}" in text


def test_a_column_of_sentences_of_a_line_each_is_read_apart():
    left = (
        "Druppel vóór de ingreep uw oog vier",
        "keer per dag. Draag geen schmink en",
        "geen parfum.",
    )
    right = ("De ingreep duurt twintig minuten.", "U blijft wakker maar voelt geen pijn.")
    text = flat(said(Sheet([*down(70, 100, *left), *down(320, 100, *right)])))

    assert f"{' '.join(left)} {' '.join(right)}" in text


def test_headings_within_columns_stay_with_their_text():
    lines = [
        (70, 100, "Thuis", 15),
        *down(70, 130, *LEFT),
        (320, 100, "Bezoek", 15),
        *down(320, 130, *MIDDLE),
    ]
    text = flat(said(Sheet(lines)))

    assert f"Thuis {' '.join(LEFT)} Bezoek {' '.join(MIDDLE)}" in text


@pytest.mark.parametrize("side", [400, 40])
def test_a_sidebar_is_read_apart(side):
    bar = ("Voetkliniek", "Tel. 012 00 44 55", "Route 12", "Campus Noord")
    main = (*LEFT, *RIGHT)
    lines = [*down(70 if side > 100 else 220, 100, *main), *down(side, 100, *bar)]
    text = flat(said(Sheet(lines)))

    assert " ".join(main) in text
    assert " ".join(bar) in text


def test_a_box_beside_text_is_read_apart():
    bar = ("Bij koorts boven 38 graden belt", "u de dienst op 012 00 44 55.")
    lines = [*down(70, 100, *LEFT, *RIGHT), *down(330, 120, *bar)]
    text = flat(said(Sheet(lines, boxes=[(322, 100, 220, 45)])))

    assert " ".join((*LEFT, *RIGHT)) in text
    assert " ".join(bar) in text


def test_boxes_side_by_side_are_read_one_after_the_other():
    lines = [*down(75, 115, *LEFT), *down(305, 115, *MIDDLE)]
    text = flat(said(Sheet(lines, boxes=[(70, 100, 220, 70), (300, 100, 220, 70)])))

    assert f"{' '.join(LEFT)} {' '.join(MIDDLE)}" in text


def test_a_frame_around_the_page_changes_nothing():
    lines = [*down(70, 100, *LEFT), *down(320, 100, *MIDDLE)]
    text = flat(said(Sheet(lines, boxes=[(20, 20, 555, 802)])))

    assert f"{' '.join(LEFT)} {' '.join(MIDDLE)}" in text


def test_a_table_without_lines_keeps_its_rows():
    days = ("Maandag", "Dinsdag", "Woensdag", "Donderdag")
    hours = ("9.00 - 12.00", "8.30 - 11.00", "13.00 - 17.00", "gesloten")
    text = said(Sheet([*down(70, 100, *days), *down(300, 100, *hours)]))

    for day, hour in zip(days, hours, strict=True):
        assert re.search(f"{day}[ |]+{hour}", text)


def test_a_table_without_lines_whose_cells_are_long_keeps_its_rows():
    doctors = (
        "Dr. Jan Peeters en Dr. An Claes",
        "Dr. Luc Van der Aa",
        "Dr. Mia De Wit, diensthoofd",
    )
    hours = (
        "Maandag van 9.00 tot 12.00 uur",
        "Dinsdag na afspraak op 012 00 44 55",
        "Vrijdag van 13.00 tot 16.00 uur",
    )
    text = said(Sheet([*down(50, 100, *doctors), *down(320, 100, *hours)]))

    for doctor, hour in zip(doctors, hours, strict=True):
        assert re.search(f"{re.escape(doctor)}[ |]+{hour}", text)


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

    for day, texts in cells.items():
        assert f"{day} {' '.join(texts)}" in text


def test_a_sentence_that_goes_on_in_the_next_column_or_on_the_next_page_is_one():
    first = Sheet(
        [
            *down(70, 100, *RIGHT[:3]),
            *down(
                320,
                100,
                "het gebouw. Bel de dienst op",
                "012 00 44 55 bij koorts. U mag",
                "na twee",
            ),
        ]
    )
    text = said(first, Sheet(down(70, 100, "dagen douchen.")))

    assert "Parkeren kan achter het gebouw." in text
    assert "U mag na twee dagen douchen." in text


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


def test_what_the_document_writes_elsewhere_decides():
    joined = wrapped("De nazorgdienst belt u. Vraag het de nazorg-|dienst zelf.")
    parted = wrapped("De nazorg-dienst belt u. Vraag het de nazorg-|dienst zelf.")

    assert "het de nazorgdienst zelf" in joined
    assert "het de nazorg-dienst zelf" in parted


def test_of_a_word_that_the_document_writes_both_ways_the_hyphen_stays():
    text = wrapped(
        "La feuille post-opératoire et le soin postopératoire. Un suivi post-|opératoire."
    )

    assert "suivi post-opératoire" in text


def test_a_word_broken_between_columns_or_pages_is_one_word():
    first = Sheet(
        [
            *down(70, 100, *RIGHT[:2], "u slikt. Bel uw zieken-"),
            *down(320, 100, "huis op dinsdag. U mag na", "twee dagen dou-"),
        ]
    )
    text = said(first, Sheet(down(70, 100, "chen en wandelen.")))

    assert "ziekenhuis op dinsdag" in text
    assert "dagen douchen" in text


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
    found = rows(
        *(
            Sheet(
                [(70, 815, number.format(page), 8)], [(70, 680 if page == 1 else 60, WIDTHS, top)]
            )
            for page, top in enumerate(tops, 1)
        )
    )

    assert {header for header, _ in found} == {"| Kamer | Lid | Geen lid"}
    assert [row.split(" |")[0] for _, row in found] == [
        "Eenpersoons",
        "Tweepersoons",
        "Suite",
        "Dagkamer",
        "Kinderkamer",
    ]


def test_a_table_of_other_columns_on_the_next_page_has_its_own_header():
    found = rows(
        Sheet(grids=[(70, 700, WIDTHS, (NAMES, *PRICES))]),
        Sheet(grids=[(70, 60, (120, 200), (("Dag", "Uren"), ("Maandag", "9.00-12.00")))]),
    )

    assert found[-1] == ("| Dag | Uren", "Maandag | 9.00-12.00")


def test_text_between_tables_ends_the_first():
    other = (("Dienst", "Ochtend", "Middag"), ("Spoed", "open", "open"))
    found = rows(
        Sheet(grids=[(70, 700, WIDTHS, (NAMES, *PRICES))]),
        Sheet([(70, 70, "Openingsuren van de diensten:")], [(70, 90, WIDTHS, other)]),
    )

    assert found[-1] == ("| Dienst | Ochtend | Middag", "Spoed | open | open")


def test_merged_cells_stand_in_each_row_and_under_each_name():
    table = (
        ("Kamer", "Prijs per dag", None),
        ("^", "Lid", "Geen lid"),
        ("Eenpersoons", "40 euro", "55 euro"),
        ("^", "45 euro", "60 euro"),
    )

    assert rows(Sheet(grids=[(70, 100, WIDTHS, table)])) == [
        (
            "| Kamer | Prijs per dag – Lid | Prijs per dag – Geen lid",
            "Eenpersoons | 40 euro | 55 euro",
        ),
        (
            "| Kamer | Prijs per dag – Lid | Prijs per dag – Geen lid",
            "Eenpersoons | 45 euro | 60 euro",
        ),
    ]


def test_an_empty_first_cell_makes_no_header_of_a_row():
    table = (("", "Maandag", "Dinsdag"), ("Dr. Claes", "9-12", "14-17"), ("", "13-15", "18-20"))

    found = rows(Sheet(grids=[(70, 100, WIDTHS, table)]))

    assert found == [
        ("|  | Maandag | Dinsdag", "Dr. Claes | 9-12 | 14-17"),
        ("|  | Maandag | Dinsdag", "– | 13-15 | 18-20"),
    ]


def test_lines_of_a_cell_are_kept_apart():
    table = (("Dienst", "Uren", "Bel"), ("Voetkliniek", "9-12\n14-17", "011 22\n33 44"))

    found = rows(Sheet(grids=[(70, 100, WIDTHS, table)]))

    assert "9-1214-17" not in found[0][1]
    assert "9-12, 14-17" in found[0][1]


def test_a_table_of_names_and_values_has_no_header():
    table = (("Telefoon", "012 00 44 55"), ("Route", "12"), ("Openingsuren", "9-12"))

    assert rows(Sheet(grids=[(70, 100, (120, 150), table)])) == [
        ("", "Telefoon | 012 00 44 55"),
        ("", "Route | 12"),
        ("", "Openingsuren | 9-12"),
    ]


def test_a_table_in_a_column_and_in_a_box_is_read_where_it_stands():
    table = (("Dag", "Uren"), ("Maandag", "9-12"), ("Dinsdag", "13-17"))
    page = Sheet(
        [*down(70, 100, *LEFT), *down(320, 100, *MIDDLE), *down(320, 260, *RIGHT)],
        [(320, 160, (80, 80), table)],
        [(310, 80, 240, 240)],
    )
    text = flat(said(page))

    assert " ".join(LEFT) in text
    assert f"{' '.join(MIDDLE)} Maandag | 9-12 Dinsdag | 13-17 {' '.join(RIGHT)}" in text


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
