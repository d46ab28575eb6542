"""A Word document says what Word shows of it, no more and no less."""

import pytest

from retrieval.reading.blocks import Sort
from retrieval.reading.word import read_docx
from retrieval.reading.word.package import MATH, STRICT, STRICT_MATH
from tests.word import box, cell, document, level, listed, paragraph, row, run, style, styled, table

LISTS = (
    '<w:abstractNum w:abstractNumId="7">'
    + level(0, "decimal", "%1.")
    + level(1, "lowerLetter", "%2)")
    + level(2, "lowerRoman", "%1.%3", "<w:isLgl/>")
    + '</w:abstractNum><w:abstractNum w:abstractNumId="8">'
    + level(0, "bullet", "\uf0b7")
    + '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0">'
    '<w:startOverride w:val="5"/></w:lvlOverride></w:num>'
)
STYLES = (
    style("Kop1", "heading 1")
    + style("Zorgkop", "Zorgkop", '<w:basedOn w:val="Kop1"/>')
    + style("Derde", "Eigen kop", '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>')
    + style("Titel", "Title")
    + style("Heading4", "Bijschrift")
    + style("Inhopg1", "toc 1")
    + style("Oud", "Oud", "<w:rPr><w:strike/></w:rPr>")
    + style("Ouder", "Ouder", '<w:basedOn w:val="Oud"/>')
    + style("Weg", "Weg", "<w:rPr><w:vanish/></w:rPr>", sort="character")
    + style("Stap", "List Number", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
)
NOTES = (
    f'<w:footnote w:type="separator" w:id="-1">{paragraph("streep")}</w:footnote>'
    f'<w:footnote w:id="1">{paragraph("Enkel voor leden.")}{paragraph("Anderen € 55.")}</w:footnote>'
)
NOTE = '<w:r><w:footnoteReference w:id="1"/></w:r>'


def lines(body: str, **parts: str) -> list[str]:
    """Return what is read, the names of columns once before their rows."""
    said: list[str] = []
    header = ""
    for block in read_docx(document(f"{body}{paragraph('Tot slot.')}", **parts)):
        if block.header and block.header != header:
            said.append(block.header)
        header = block.header
        said.append(f"{block.mark}{block.text}")
    return said[:-1]


def sign(font: str, code: str) -> str:
    return f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'


def tracked(name: str, content: str) -> str:
    return f'<w:{name} w:id="1" w:author="A">{content}</w:{name}>'


@pytest.mark.parametrize(
    ("struck", "properties"),
    [
        (run("€ 33", "<w:strike/>"), ""),
        (run("€ 33", '<w:strike w:val="true"/>'), ""),
        (run("€ 33", "<w:vanish/>"), ""),
        (run("€ 33", '<w:rStyle w:val="Weg"/>'), ""),
        (tracked("del", "<w:r><w:delText>€ 33</w:delText></w:r>"), ""),
        (tracked("moveFrom", run("€ 33")), ""),
        (run("€ 33"), '<w:pStyle w:val="Ouder"/>'),
    ],
)
def test_what_no_longer_counts_is_not_read_in_a_text_an_item_a_cell_or_a_box(struck, properties):
    kept = run("€ 21", '<w:strike w:val="0"/><w:dstrike w:val="false"/><w:vanish w:val="off"/>')
    price = paragraph(struck, kept, properties=properties)
    place = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr>'
    item = paragraph(struck, kept, properties=properties + place)
    body = price + item + table(row("Wat", "Prijs"), row("kaart", cell(price)))

    found = lines(body + paragraph("Kader:", box(price)), styles=STYLES, numbering=LISTS)

    assert found == ["€ 21", "- € 21", "| Wat | Prijs", "kaart | € 21", "Kader:", "€ 21"]


def test_what_was_added_or_moved_here_is_read_and_deleted_rows_and_ends_of_lines_are_not():
    deleted_end = "<w:rPr><w:del w:id='1' w:author='A'/></w:rPr>"
    body = (
        paragraph("Uur: ", tracked("ins", run("10 uur")))
        + paragraph(tracked("moveTo", run("Bel 44 66.")))
        + paragraph("Bel 012 00 ", properties=deleted_end)
        + paragraph("44 55.")
        + table(
            row("Dag", "Uur"),
            row("ma", "9-12", properties="<w:del w:id='2' w:author='A'/>"),
            row("di", "13-15"),
        )
    )

    assert lines(body) == [
        "Uur: 10 uur", "Bel 44 66.", "Bel 012 00 44 55.", "| Dag | Uur", "di | 13-15",
    ]  # fmt: skip


def wrapped(name: str, content: str) -> str:
    if name == "sdt":
        return f"<w:sdt><w:sdtPr/><w:sdtContent>{content}</w:sdtContent></w:sdt>"
    return f'<w:{name} w:element="x">{content}</w:{name}>'


@pytest.mark.parametrize("name", ["sdt", "customXml"])
def test_what_stands_in_a_control_is_read_wherever_it_stands(name):
    body = (
        wrapped(name, paragraph("Bel 44 55."))
        + paragraph("Kies ", wrapped(name, wrapped(name, run("optie B"))), " nu.")
        + table(
            row("Dag", "Uur"),
            wrapped(name, row("ma", "9-12")),
            row("di", wrapped(name, cell("13-15"))),
            row("wo", cell(wrapped(name, paragraph("gesloten")))),
        )
        + paragraph("Kader:", box(wrapped(name, paragraph("nuchter"))))
    )

    assert lines(body) == [
        "Bel 44 55.", "Kies optie B nu.",
        "| Dag | Uur", "ma | 9-12", "di | 13-15", "wo | gesloten",
        "Kader:", "nuchter",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("element", "said"),
    [
        ("<w:noBreakHyphen/>", "14-20"),
        ("<w:softHyphen/>", "1420"),
        ("<w:tab/>", "14 20"),
        ("<w:ptab/>", "14 20"),
        ("<w:cr/>", "14, 20"),
        ("<w:br/>", "14, 20"),
    ],
)
def test_signs_between_figures_are_read_in_a_text_and_in_a_cell(element, said):
    written = paragraph(run("14"), f"<w:r>{element}</w:r>", run("20"))

    assert lines(written + table(row("Dag", "Uur"), row("ma", cell(written)))) == [
        said, "| Dag | Uur", f"ma | {said}",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (sign("Symbol", "F0B3"), "≥"),
        (sign("Symbol", "F06D"), "μ"),
        (sign("Wingdings", "F028"), "☎"),
        (sign("Wingdings", "F0A8"), "☐"),
        (run("\uf0b3", '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'), "≥"),
        (run("m", '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'), "μ"),
        (run("\uf0b3", '<w:rStyle w:val="Tekens"/>'), "≥"),
        (sign("Geen mens kent dit", "F041"), ""),
        (sign("Symbol", "geen getal"), ""),
    ],
)
def test_a_sign_of_a_font_is_read_as_what_it_shows(written, said):
    fonts = style(
        "Tekens", "Tekens", '<w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr>', sort="character"
    )

    assert lines(paragraph("koorts [", written, "] 38"), styles=fonts)[0].replace(" ", "") == (
        f"koorts[{said}]38"
    )


def test_a_note_is_read_once_where_it_is_referred_to():
    body = paragraph("Kamer: € 40", NOTE, ".") + paragraph("Ook daar", NOTE, ".")
    in_cell = table(row("Wat", "Prijs"), row("kine", cell(paragraph("€ 5", NOTE))))
    endnotes = {"endnotes": NOTES.replace("footnote", "endnote")}

    assert lines(body, footnotes=NOTES) == [
        "Kamer: € 40 (Enkel voor leden. Anderen € 55).", "Ook daar."
    ]  # fmt: skip
    assert lines(in_cell.replace("footnote", "endnote"), **endnotes)[-1] == (
        "kine | € 5 (Enkel voor leden. Anderen € 55)"
    )


@pytest.mark.parametrize(
    "identifier", ["berschrift2", "Titre2", "Titolo2", "Kop2", "Balk2", "Titlu2", "2", "Heading2"]
)
def test_a_heading_is_known_by_its_styles_name_in_any_language(identifier):
    body = styled(identifier, "Na de ingreep") + paragraph("U rijdt niet zelf.")

    blocks = read_docx(document(body, styles=style(identifier, "heading 2")))

    assert [(b.sort, b.level, b.text) for b in blocks] == [
        (Sort.HEADING, 2, "Na de ingreep"),
        (Sort.TEXT, 0, "U rijdt niet zelf."),
    ]


@pytest.mark.parametrize(
    ("properties", "at"),
    [
        ('<w:pStyle w:val="Zorgkop"/>', 1),
        ('<w:pStyle w:val="Derde"/>', 3),
        ('<w:pStyle w:val="Titel"/>', 1),
        ('<w:outlineLvl w:val="3"/>', 4),
        ('<w:pStyle w:val="Derde"/><w:outlineLvl w:val="0"/>', 1),
        ('<w:pStyle w:val="Derde"/><w:outlineLvl w:val="9"/>', 0),
        ('<w:pStyle w:val="Heading4"/>', 0),
        ('<w:pStyle w:val="Onbekend"/>', 0),
        ('<w:pStyle w:val="Heading3"/>', 3),
    ],
)
def test_the_level_of_a_heading_comes_from_what_says_it_first(properties, at):
    body = paragraph("Na de ingreep", properties=properties) + paragraph("U rijdt niet zelf.")

    assert read_docx(document(body, styles=STYLES))[0].level == at


def test_a_box_is_read_once_and_by_itself_also_in_a_cell_and_in_a_box():
    inner = paragraph("binnen", box(paragraph("binnenin")))
    body = (
        paragraph("De ingreep duurt een halfuur.", box(paragraph("Let op."), inner), " Echt.")
        + paragraph("Hier.", "<w:r><w:pict><w:txbxContent>" + paragraph("oud") + "</w:txbxContent></w:pict></w:r>")
        + table(row("Wat", "Hoe"), row("bel", cell(paragraph("tekst", box(paragraph("44 99"))))))
        + paragraph("Tabel:", box(table(row("ma", "9-12"), row("di", "13-15"))))
    )  # fmt: skip

    assert lines(body) == [
        "De ingreep duurt een halfuur. Echt.", "Let op.", "binnen", "binnenin",
        "Hier.", "oud",
        "| Wat | Hoe", "bel | tekst, 44 99",
        "Tabel:", "ma | 9-12", "di | 13-15",
    ]  # fmt: skip


def test_lists_have_the_numbers_that_word_shows():
    body = (
        listed(1, "meld u aan")
        + listed(1, "wacht")
        + listed(1, "in de zaal", level=1)
        + listed(1, "of de gang", level=1)
        + listed(1, "stil", level=2)
        + paragraph("Intussen:")
        + listed(2, "kaart")
        + listed(1, run("weg", "<w:strike/>"))
        + listed(1, "kom binnen")
        + listed(1, "zit", level=1)
        + listed(3, "verder")
        + styled("Stap", "slot")
        + styled("Stap", "einde").replace("</w:pPr>", '<w:numPr><w:numId w:val="0"/></w:numPr></w:pPr>')
    )  # fmt: skip

    assert lines(body, numbering=LISTS, styles=STYLES) == [
        "1. meld u aan", "2. wacht", "a) in de zaal", "b) of de gang", "2.1 stil", "Intussen:",
        "- kaart", "4. kom binnen", "a) zit", "5. verder", "6. slot", "einde",
    ]  # fmt: skip


def test_cells_keep_their_lines_and_merged_cells_stand_at_each_of_their_places():
    down, on = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    body = table(
        row("Campus", "Dag", "Uur"),
        row(cell("Noord", properties=down), "maandag", cell("9-12", "14-17")),
        row(cell(properties=on), "woensdag", "13-16"),
        row(cell("Zuid, elke dag", properties='<w:gridSpan w:val="2"/>'), "14-17"),
        row("7-8", properties='<w:gridBefore w:val="2"/>'),
    )

    assert lines(body) == [
        "| Campus | Dag | Uur",
        "Noord | maandag | 9-12, 14-17",
        "Noord | woensdag | 13-16",
        "Zuid, elke dag | Zuid, elke dag | 14-17",
        "– |  | 7-8",
    ]


@pytest.mark.parametrize("mark", ["<w:tblHeader/>", ""])
def test_rows_of_names_above_each_other_are_joined(mark):
    body = table(
        row(cell("Kamer", properties='<w:vMerge w:val="restart"/>'), cell("Prijs", properties='<w:gridSpan w:val="2"/>'), properties=mark),
        row(cell(properties="<w:vMerge/>"), "Lid", "Geen lid", properties=mark),
        row("Suite", "€ 50", "€ 70"),
    )  # fmt: skip

    assert lines(body) == ["| Kamer | Prijs – Lid | Prijs – Geen lid", "Suite | € 50 | € 70"]


@pytest.mark.parametrize(
    ("first", "is_header"),
    [
        (row("Dag", "Uur"), True),
        (row(cell(), "2026"), True),
        (row(cell(paragraph(run("Jaar", "<w:b/>"))), cell(paragraph(run("2026", "<w:b/>")))), True),
        (row("Jaar", "2026", properties="<w:tblHeader/>"), True),
        (row("Kamer", "Prijs 2026"), True),
        (row("maandag", "9-12"), False),
    ],
)
def test_a_first_row_with_figures_names_columns_only_if_it_shows_that(first, is_header):
    assert lines(table(first, row("dinsdag", "13-15")))[0].startswith("| ") is is_header


def test_rows_that_are_all_bold_and_the_cells_of_one_column_name_nothing():
    bold = [cell(paragraph(run(text, "<w:b/>"))) for text in ("ma", "9-12", "di", "13-15")]
    column = table(row("Breng mee:"), row("kaart"), row("bril"))

    assert lines(table(row(*bold[:2]), row(*bold[2:])) + column) == [
        "ma | 9-12", "di | 13-15", "Breng mee:", "- kaart", "- bril",
    ]  # fmt: skip


def test_a_table_in_a_cell_is_said_once_and_a_table_of_one_cell_is_a_frame():
    inner = table(row("kamer", "€ 40"), row("parking", "€ 8"))
    framed = cell(styled("Kop1", "Let op"), listed(1, "nuchter"), paragraph("Kom op tijd."))
    body = table(row("Dag", "di"), row("Prijzen", cell("zie hieronder", inner))) + table(
        row(framed)
    )

    assert lines(body, styles=STYLES, numbering=LISTS) == [
        "| Dag | di",
        "Prijzen | zie hieronder, kamer: € 40; parking: € 8",
        "Let op",
        "1. nuchter",
        "Kom op tijd.",
    ]


def test_a_table_whose_cells_have_headings_only_holds_the_page_together():
    left, right = (
        cell(styled("Kop1", "Vooraf"), "Kom nuchter."),
        cell(styled("Kop1", "Nadien"), "Rust."),
    )
    names = table(row(cell(styled("Kop1", "Dag")), cell(styled("Kop1", "Uur"))), row("ma", "9-12"))

    assert lines(table(row(left, right)) + names, styles=STYLES) == [
        "Vooraf", "Kom nuchter.", "Nadien", "Rust.", "| Dag | Uur", "ma | 9-12",
    ]  # fmt: skip


def field(instruction: str, result: str, *, ends: bool = True) -> str:
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    end = mark.format("separate") + result + mark.format("end") if ends else ""
    return mark.format("begin") + instruction + end


def test_of_a_field_the_result_is_read_and_of_a_link_its_text():
    code = "<w:r><w:instrText> IF </w:instrText></w:r>"
    within = code + field("<w:r><w:instrText> X </w:instrText></w:r>", run("niet dit"))
    body = paragraph("Op ", field(within, run("3 mei")), ".")
    simple = '<w:fldSimple w:instr=" PAGEREF x ">' + run("12") + "</w:fldSimple>"
    link = "<w:hyperlink>" + run("onze site") + "</w:hyperlink>"
    broken = field(code, "", ends=False)

    assert lines(body + paragraph("Zie ", link, ", blz. ", simple) + paragraph(broken, "einde")) == [
        "Op 3 mei.", "Zie onze site, blz. 12", "einde",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "small", "after", "said"),
    [
        ("van 8", ("30",), " uur", "van 8:30 uur"),
        ("van 8", ("3", "0"), " uur", "van 8:30 uur"),
        ("€ 11", ("50",), "", "€ 11,50"),
        ("40 m", ("2",), " groot", "40 m² groot"),
        ("de 1", ("ste",), " dag", "de 1ste dag"),
    ],
)
def test_raised_figures_do_not_run_on_into_the_number_before_them(before, small, after, said):
    raised = (run(each, '<w:vertAlign w:val="superscript"/>') for each in small)

    assert lines(paragraph(before, *raised, after or "<w:r/>")) == [said]


EMPTY = "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"
COMMENT = f'<w:comment w:id="0">{paragraph("klopt dit nog?")}</w:comment>'
BRANCHES = (
    '<w:r><mc:AlternateContent><mc:Choice Requires="w"><w:t>nieuw</w:t></mc:Choice>'
    "<mc:Fallback><w:t>gewoon</w:t></mc:Fallback></mc:AlternateContent></w:r>"
)
HIDDEN = listed(1, run("weg", "<w:vanish/>")).replace(
    "</w:pPr>", "<w:rPr><w:vanish/></w:rPr></w:pPr>"
)
INITIAL = paragraph("D", properties='<w:framePr w:dropCap="drop"/>')
TITLE = row(cell("Tarieven 12/2026", properties='<w:gridSpan w:val="2"/>'))
TWO = f'<w:footnote w:id="1">{paragraph("Per zone")}{paragraph("Nacht 8")}</w:footnote>'
TOGGLE = STYLES + style("Toch", "Toch", "<w:rPr><w:strike/></w:rPr>", sort="character")
GALLERY = (
    '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
    f"</w:sdtPr><w:sdtContent>{paragraph('Inhoud')}{paragraph('Prijs', '3')}</w:sdtContent></w:sdt>"
)
PICTURE = (
    '<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/'
    'wordprocessingDrawing"><wp:docPr id="1" name="Graphic 1" descr="ja"/></wp:inline></w:drawing>'
    "</w:r>"
)
#: A body, other parts of the document, and the lines that are read.
READ = {
    "a style that strikes within a struck style undoes it": (
        styled("Oud", "€ 33 ", run("€ 21", '<w:rStyle w:val="Toch"/>')), {"styles": TOGGLE}, ["€ 21"],
    ),
    "a placeholder that nobody filled in is no content": (
        paragraph("Arts: ", EMPTY.format(run("Klik om tekst in te voeren."))), {}, ["Arts:"],
    ),
    "neither is a note whose reference was deleted, nor a comment": (
        paragraph("Kamer", tracked("del", NOTE), '<w:r><w:commentReference w:id="0"/></w:r>', "."),
        {"footnotes": NOTES, "comments": COMMENT}, ["Kamer."],
    ),
    "neither is a table of contents": (
        styled("Inhopg1", "Na de ingreep\t3") + paragraph("Tekst."), {"styles": STYLES}, ["Tekst."],
    ),
    "neither are headers and footers": (paragraph("Tekst."), {"header1": paragraph("briefhoofd")}, ["Tekst."]),
    "what requires an unknown program is read in its other branch": (
        paragraph("Dit is ", BRANCHES), {}, ["Dit is gewoon"],
    ),
    "an item that is hidden to its end is not counted": (
        listed(1, "een") + HIDDEN + listed(1, "twee"), {"numbering": LISTS}, ["1. een", "2. twee"],
    ),
    "a large initial stays with its word": (
        INITIAL + paragraph("e dienst is open."), {}, ["De dienst is open."],
    ),
    "the parts of a note are kept apart": (
        paragraph("Rijdt", NOTE), {"footnotes": TWO}, ["Rijdt (Per zone, Nacht 8)"],
    ),
    "a title over a table is none of its rows": (
        table(TITLE, row("Kamer", "Prijs"), row("suite", "€ 50"), row("een", "€ 9")), {},
        ["Tarieven 12/2026", "| Kamer | Prijs", "suite | € 50", "een | € 9"],
    ),
    "nor one without a style, in its gallery": (
        GALLERY + styled("TOC2", "Na de ingreep\t3") + paragraph("Tekst."), {}, ["Tekst."],
    ),
    "nor one with dots": (
        paragraph("Folder") + paragraph("Vooraf") + paragraph("Inhoud")
        + "".join(map(paragraph, ("Uw afspraak .... 3", "Na de ingreep ...... 12", "Uw afspraak")))
        + paragraph("Bel.") + paragraph("Na de ingreep") + paragraph("Parking ..... 8"), {},
        ["Folder", "Vooraf", "Uw afspraak", "Bel.", "Na de ingreep", "Parking ..... 8"],
    ),
    "a cell says what its picture says": (
        table(row("Campus", "Parking"), row("Noord", cell(paragraph(PICTURE)))), {},
        ["| Campus | Parking", "Noord | ja"],
    ),
    "a document under another name": (paragraph("Open om 9 uur."), {"main": "document2"}, ["Open om 9 uur."]),
    "a strict document": (paragraph("Open om 9 uur."), {"namespace": STRICT}, ["Open om 9 uur."]),
}  # fmt: skip


@pytest.mark.parametrize(("body", "parts", "said"), READ.values(), ids=READ)
def test_of_a_document(body, parts, said):
    assert lines(body, **parts) == said


def math(name: str, *parts: str) -> str:
    """Return an element of a formula; of texts, each is a run."""
    inside = (each if each.startswith("<") else f"<m:r><m:t>{each}</m:t></m:r>" for each in parts)
    return f'<m:{name} xmlns:m="{MATH}">{"".join(inside)}</m:{name}>'


FRACTION = math(
    "f", math("num", "gewicht"), math("den", math("sSup", math("e", "lengte"), math("sup", "2")))
)
ROOT = math("rad", '<m:radPr><m:degHide m:val="1"/></m:radPr>', math("deg"), math("e", "a + b"))
LONG = math("f", math("num", "dosis × 10"), math("den", "24"))
SUM = math("nary", '<m:naryPr><m:chr m:val="∑"/></m:naryPr>', math("e", "x"))


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (math("oMath", "aantal", " × ", "15"), "aantal × 15"),
        (math("oMath", FRACTION), "gewicht / lengte²"),
        (math("oMath", "d = ", LONG), "d = (dosis × 10) / 24"),
        (math("oMath", math("sSub", math("e", "H"), math("sub", "2")), "O"), "H2O"),
        (math("oMath", math("sSup", math("e", "10"), math("sup", "-3"))), "10^-3"),
        (math("oMath", ROOT), "√(a + b)"),
        (math("oMath", math("d", math("e", "a+b")), "·2"), "(a+b)·2"),
        (math("oMath", SUM), "∑x"),
        (math("oMathPara", math("oMath", "\U0001d465 + \U0001d466")), "x + y"),
        (tracked("ins", math("oMath", "a")), "a"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("namespace", [MATH, STRICT_MATH])
def test_a_formula_stands_in_its_line(formula, said, namespace):
    written = formula.replace(MATH, namespace)
    body = paragraph("Reken ", written, ".") + table(row("Som", cell(paragraph(written))))

    assert lines(body) == [f"Reken {said}.", f"Som | {said}"]
    assert lines(written) == ([said] if "Para" in written else [])
