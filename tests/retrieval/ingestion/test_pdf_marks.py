"""A PDF is read without what is struck out or stands across it, and with what is filled in."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from retrieval.reading.pdf import read_pdf
from tests.files import FONT
from zol.errors import UnreadableDocument

PRICE = "Parkeren kost € 12 € 8 per dag."
LEFT, WIDTH = stringWidth("Parkeren kost ", FONT, 11), stringWidth("€ 12", FONT, 11)
Draw = Callable[[Canvas], object]


def drawn(*pages: Draw, lines: tuple[str, ...] = ()) -> bytes:
    """Return a PDF of pages with an introduction and lines, and what is drawn there."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842))
    for draw in pages:
        canvas.setFont(FONT, 11)
        for number, line in enumerate(("De dienst helpt u elke werkdag van het jaar.", *lines)):
            canvas.drawString(70, 740 - 20 * number, line)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def said(data: bytes) -> str:
    return "\n".join(block.text for block in read_pdf(data))


def line(canvas: Canvas, *, up: float = 3.5) -> None:
    canvas.line(70 + LEFT, 720 + up, 70 + LEFT + WIDTH, 720 + up)


def path(canvas: Canvas) -> None:
    shape = canvas.beginPath()
    shape.moveTo(70 + LEFT, 723)
    for x, y in ((LEFT + WIDTH, 723), (LEFT + WIDTH, 723.8), (LEFT, 723.8)):
        shape.lineTo(70 + x, y)
    shape.close()
    canvas.drawPath(shape, stroke=0, fill=1)


STRIKES: dict[str, Draw] = {
    "a line": line,
    "a thin rectangle": lambda c: c.rect(70 + LEFT - 1, 723, WIDTH + 2, 0.8, stroke=0, fill=1),
    "two lines": lambda c: (line(c, up=2.6), line(c, up=4.6)),
    "a shape": path,
    "a stroke across": lambda c: c.line(70 + LEFT, 719, 70 + LEFT + WIDTH, 729),
}


@pytest.mark.parametrize("strike", STRIKES.values(), ids=STRIKES)
def test_a_price_that_is_struck_out_is_not_read(strike):
    assert "Parkeren kost € 8 per dag." in said(drawn(strike, lines=(PRICE,)))


def test_a_price_that_is_underlined_or_stands_in_a_frame_is_read():
    def frame(canvas: Canvas) -> None:
        line(canvas, up=-1.5)
        canvas.rect(60, 714, 400, 18)

    assert PRICE in said(drawn(frame, lines=(PRICE,)))


def test_in_a_table_only_the_struck_price_of_a_cell_goes():
    def table(canvas: Canvas) -> None:
        for down, row in enumerate((("Kamer", "Prijs"), ("Een", "€ 55 € 40"), ("Twee", "€ 12"))):
            for across, text in enumerate(row):
                canvas.rect(70 + 150 * across, 600 - 20 * down, 150, 20)
                canvas.drawString(75 + 150 * across, 606 - 20 * down, text)
        canvas.line(225, 589.5, 225 + stringWidth("€ 55", FONT, 11), 589.5)

    text = said(drawn(table))

    assert "Een | € 40\n" in text
    assert "Twee | € 12" in text


def across(text: str, angle: float, size: float) -> Draw:
    def draw(canvas: Canvas) -> None:
        canvas.setFont(FONT, size)
        canvas.translate(120, 640)
        canvas.rotate(angle)
        canvas.drawString(0, 0, text)

    return draw


@pytest.mark.parametrize(("angle", "size"), [(45, 60), (30, 40), (0, 70), (-55, 60), (90, 9)])
def test_what_stands_across_a_page_is_told_and_not_read(angle, size):
    lines = ("Bel 012 00 44 61.", "De kamer kost € 40.", "Het ontbijt is om 8.30 uur.") * 2
    told: list[str] = []

    blocks = read_pdf(drawn(across("VERVALLEN", angle, size), lines=lines), tell=told.append)

    text = " ".join(block.text for block in blocks)
    assert "VERVALLEN" not in text
    assert all(each in text for each in lines)
    assert told == ["Across its pages: “VERVALLEN”. See whether the document still holds."]


def test_a_large_title_over_the_text_is_no_watermark():
    def title(canvas: Canvas) -> None:
        canvas.setFont(FONT, 40)
        canvas.drawString(70, 780, "Voetkliniek")

    assert "Voetkliniek" in said(drawn(title))


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_a_page_drawn_on_its_side_is_read_with_its_tables(angle):
    def turned(canvas: Canvas) -> None:
        canvas.translate(298, 421)
        canvas.rotate(angle)
        for down, row in enumerate((("Dag", "Uur"), ("maandag", "9-12"), ("dinsdag", "13-16"))):
            for side, text in enumerate(row):
                canvas.rect(-200 + 100 * side, 100 - 20 * down, 100, 20)
                canvas.drawString(-195 + 100 * side, 106 - 20 * down, text)
        canvas.drawString(-200, 20, "Bel 012 00 44 79, elke werkdag van 9 tot 12 uur, voor advies.")

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842))
    canvas.setFont(FONT, 11)
    turned(canvas)
    canvas.save()
    text = said(file.getvalue())

    assert "Bel 012 00 44 79, elke werkdag" in text
    assert "dinsdag | 13-16" in text


def form(canvas: Canvas) -> None:
    fields = canvas.acroForm
    for name, y, value in (("Telefoon:", 660, "012 00 44 82"), ("Leeg:", 550, "")):
        canvas.drawString(70, y, name)
        fields.textfield(name=name, x=220, y=y - 6, width=150, height=18, value=value)
    canvas.drawString(70, 630, "Dag")
    options = [("maandag", "ma"), ("dinsdag", "di")]
    fields.choice(name="dag", x=130, y=624, width=99, height=18, value="di", options=options)
    for name, y, is_on in (("Nuchter", 600, True), ("Zwanger", 575, False)):
        canvas.drawString(70, y, name)
        fields.checkbox(name=name, x=130, y=y - 2, size=14, checked=is_on)
    canvas.drawString(70, 520, "Uitleg:")
    fields.textfield(
        name="u", x=70, y=450, width=300, height=60, value="Kom nuchter\nen op tijd",
        fieldFlags="multiline",
    )  # fmt: skip
    fields.textfield(
        name="w", x=70, y=400, width=99, height=18, value="geheim", fieldFlags="password"
    )


def test_a_field_is_read_on_the_line_of_its_name():
    text = said(drawn(form))

    for each in ("Telefoon: 012 00 44 82", "Dag dinsdag", "Nuchter ☒", "Kom nuchter\nen op tijd"):
        assert each in text
    assert "Zwanger ☒" not in text
    assert "geheim" not in text


def test_a_field_before_its_name_is_read_too():
    def boxes(canvas: Canvas) -> None:
        for at, name in enumerate(("Onthaal", "Spoed", "Labo")):
            canvas.acroForm.textfield(
                name=name, x=70, y=650 - 30 * at, width=150, height=20, value=f"012 00 44 8{at}"
            )
            canvas.drawString(240, 656 - 30 * at, name)

    assert "012 00 44 81 Spoed" in said(drawn(boxes))


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (("Van 8", "30", " tot 17", "00", " uur"), "Van 8:30 tot 17:00 uur"),
        (("Het kost € 12", "50", " per stuk."), "Het kost € 12,50 per stuk."),
        (("Zaal van 20 m", "2", ""), "Zaal van 20 m²"),
        (("Op de 3", "de", " verdieping"), "Op de 3de verdieping"),
        (("Een kamer kost € 40", "1", " per nacht"), "Een kamer kost € 40 (1) per nacht"),
    ],
)
@pytest.mark.parametrize("size", [6.5, 7.5])
@pytest.mark.parametrize("up", [3.5, 5])
def test_small_raised_figures_are_no_part_of_the_number_before_them(pieces, text, size, up):
    def draw(canvas: Canvas) -> None:
        written = canvas.beginText(70, 680)
        for at, piece in enumerate(pieces):
            written.setFont(FONT, size if at % 2 else 11)
            written.setRise(up if at % 2 else 0)
            written.textOut(piece)
        canvas.drawText(written)

    assert text in said(drawn(draw))


def test_a_document_from_right_to_left_is_refused_in_words():
    def hebrew(canvas: Canvas) -> None:
        canvas.drawString(70, 660, "שלום לכולם בית חולים 012 34 50 61 שלום לכולם בית חולים")
        canvas.drawString(70, 640, "בית חולים שלום לכולם בית חולים שלום לכולם")

    with pytest.raises(UnreadableDocument, match="from right to left"):
        read_pdf(drawn(hebrew))


def test_one_line_from_right_to_left_is_left_out():
    def hebrew(canvas: Canvas) -> None:
        canvas.drawString(70, 660, "שלום לכולם 012 34 50 61")

    assert said(drawn(hebrew)) == "De dienst helpt u elke werkdag van het jaar."


ENTRIES = ("Uw afspraak", "Na de ingreep", "Vragen")


@pytest.mark.parametrize("dots", [" ............ ", " . . . . . ", " …… ", "  "])
@pytest.mark.parametrize("before", ["", "2.1 "])
def test_a_table_of_contents_is_not_read(dots, before):
    listed = [f"{before}{name}{dots}{page}" for page, name in enumerate(ENTRIES, 2)]

    def contents(canvas: Canvas) -> None:
        for at, text in enumerate(("Uw opname", "Inhoud", *listed)):
            canvas.drawString(70, 700 - 20 * at, text)

    def section(name: str) -> Draw:
        return lambda canvas: canvas.drawString(70, 680, before + name)

    text = said(drawn(contents, *map(section, ENTRIES)))

    assert all(each.strip() not in text for each in listed)
    assert "Inhoud" not in text
    assert all(text.count(name) == 1 for name in ENTRIES)


def test_a_list_of_prices_with_dots_is_read():
    lines = ("Parkeren ............ 2", "Televisie ............ 3", "Kamer ............ 40")

    assert "Televisie ............ 3" in said(drawn(lambda _: None, lines=lines))
