"""Reading of CSV files and workbooks: cells as the sheet shows them, doubts and refusals."""

import io
import zipfile
from datetime import date, datetime, time, timedelta
from time import perf_counter

import pytest
from django.utils.translation import override
from openpyxl import Workbook
from openpyxl.styles import Font

from tests.growth import MOST, growth
from zol.errors import BadInput
from zol.runtime.confined import Confined
from zol.tables import workbook
from zol.tables.book import work
from zol.tables.lines import Weight
from zol.tables.table import read_table, write_table


def csv(text, encoding="utf-8"):
    return read_table(text.encode(encoding), "rows.csv")


def book(*rows, edit=lambda sheet: None):
    made = Workbook()
    for row in (("key", "name", "phone"), *rows):
        made.active.append(row)
    edit(made.active)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def xlsx(*rows, edit=lambda sheet: None):
    return read_table(book(*rows, edit=edit), "rows.xlsx")


def patched(data, old, new):
    """Return a workbook with another text in the XML of its sheet, as other programs write it."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(file, "w", 8) as after:
        for part in before.namelist():
            text = before.read(part)
            if part == "xl/worksheets/sheet1.xml":
                assert old.encode() in text
                text = text.replace(old.encode(), new.encode())
            after.writestr(part, text)
    return file.getvalue()


def said(table, weight):
    return [(doubt.row, doubt.column) for doubt in table.doubts if doubt.weight is weight]


def formed(value, form):
    """Return the third cell of a row, given a value and its format."""

    def edit(sheet):
        sheet["C2"].value, sheet["C2"].number_format = value, form

    return xlsx(("a", "A", None), edit=edit)


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (89005104, "000 00 00 00", "089 00 51 04"),
        (477123456, "0000000000", "0477123456"),
        (477123456, '"+32 "000" "00" "00" "00', "+32 477 12 34 56"),
        (89005104, "[$-813]000\\/00\\.00\\.00;@", "089/00.51.04"),
        (477123456, '[<=9999999]000\\-0000;"0"000\\ 00\\ 00\\ 00', "0477 12 34 56"),
        ("\u202a089 00 51 04\u202c\u200b", "@", "089 00 51 04"),
        (3600, "00000", "03600"),
        (80313002, "0.00E+00", "80313002"),
        (123456789012345, "General", "123456789012345"),
        (0.25, "0%", "25%"),
        (8.5, "General", "8,5"),
        (8.5, "0.00", "8,50"),
        (time(9, 30), "h:mm:ss", "9:30"),
        (timedelta(hours=26, minutes=5), "[h]:mm", "26:05"),
        ("'=1", "@", "=1"),
    ],
)
def test_a_cell_is_read_as_the_sheet_shows_it(value, form, shown):
    with override("nl"):
        table = formed(value, form)

    assert table.rows[0].cells["phone"] == shown
    assert table.doubts == ()


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (1234567890123456, "0"),
        (1e20, "0"),
        ("=A2", "General"),
        ("#N/A", "General"),
        (True, "General"),
    ],
)
def test_unknown_contents_are_a_mistake_and_never_an_empty_cell(value, form):
    table = formed(value, form)

    assert said(table, Weight.WRONG) == [(2, "phone")]
    assert "phone" not in table.rows[0].cells


@pytest.mark.parametrize("value", [date(2026, 3, 1), datetime(2026, 3, 1, 9, 30)])
def test_dates_are_reported_in_the_usual_notation(value):
    table = formed(value, "d-mmm")

    assert said(table, Weight.DATE) == [(2, "phone")]
    assert "1-3-2026" in table.doubts[0].sentence
    assert table.rows[0].cells["phone"] == "2026-03-01"


def test_a_formula_is_read_as_its_result():
    solved = patched(book(("a", "A", "=1")), "<f>1</f><v></v>", "<f>1</f><v>5</v>")
    nothing = patched(
        book(("a", "A", "=1")), '<c r="C2"><f>1</f><v></v>', '<c r="C2" t="str"><f>1</f><v></v>'
    )

    assert read_table(solved, "a.xlsx").rows[0].cells["phone"] == "5"
    assert read_table(nothing, "a.xlsx").rows[0].cells["phone"] == ""
    assert read_table(nothing, "a.xlsx").doubts == ()


def test_a_row_with_only_a_formula_is_not_empty():
    assert said(xlsx(("=B1", None, None)), Weight.WRONG) == [(2, "key")]


def test_merged_cells_apply_to_every_row_that_they_cover():
    table = xlsx(
        ("a", "A", "089 00 51 04"), ("b", "B", None), ("c", "C", None),
        edit=lambda sheet: sheet.merge_cells("C2:C3"),
    )  # fmt: skip

    assert [row.cells["phone"] for row in table.rows] == ["089 00 51 04", "089 00 51 04", ""]
    assert said(table, Weight.REPORTED) == [(3, "phone")]


def test_a_cell_that_a_merged_one_covers_empties_no_field():
    table = xlsx(("a", "A", None), edit=lambda sheet: sheet.merge_cells("B2:C2"))

    assert "phone" not in table.rows[0].cells
    assert said(table, Weight.LEFT) == [(2, "phone")]


def test_a_formula_that_is_merged_is_a_mistake_in_each_row():
    table = xlsx(("a", "A", "=B1"), ("b", "B", None), edit=lambda sheet: sheet.merge_cells("C2:C3"))

    assert said(table, Weight.WRONG) == [(2, "phone"), (3, "phone")]
    assert all("phone" not in row.cells for row in table.rows)


def test_hidden_and_struck_out_contents_are_reported():
    def edit(sheet):
        sheet.row_dimensions[3].hidden = True
        sheet.column_dimensions["C"].hidden = True
        sheet["B2"].font = Font(strike=True)
        sheet.parent.create_sheet("Oud")

    table = xlsx(("a", "A", "1"), ("b", "B", "2"), edit=edit)

    assert said(table, Weight.REPORTED) == [(0, ""), (0, "phone"), (2, "name"), (3, "")]
    assert [row.number for row in table.rows] == [2, 3]


def test_rows_that_look_empty_are_skipped():
    def edit(sheet):
        sheet["A900000"].number_format = "@"

    table = xlsx(("a", "A", ""), (None, "  ", None), ("b", "B", ""), edit=edit)

    assert [(row.number, row.cells["key"]) for row in table.rows] == [(2, "a"), (4, "b")]


def test_an_endless_workbook_is_refused():
    data = patched(book(("a", "A", "1")), "</sheetData>", "</sheetData>" + " " * 70_000_000)

    with pytest.raises(BadInput):
        read_table(data, "a.xlsx")


@pytest.mark.parametrize(
    "text",
    [
        "key,name,hours\na,A,ma\n",
        "key;name;hours\r\na;A;ma\r\n",
        "key\tname\thours\r\na\tA\tma",
        "\ufeffkey;name;hours\na;A;ma",
        "sep=;\r\nkey;name;hours\r\na;A;ma\r\n",
        '"sep=|"\nkey|name|hours\na|A|ma\n',
        "\n\nkey,name,hours\na,A,ma\n,,\n\n",
        "key,name,hours,,\na,A,ma,,\n",
        "key,name,hours\ra,A,ma\r",
    ],
)  # fmt: skip
def test_a_table_is_read_however_a_spreadsheet_writes_it(text):
    table = csv(text)

    assert [row.cells for row in table.rows] == [{"key": "a", "name": "A", "hours": "ma"}]
    assert table.doubts == ()


def test_a_heading_with_a_comma_does_not_hide_the_semicolons():
    assert csv('key;"a, b, c, d";name\nx;1;X').columns == ("key", "a, b, c, d", "name")


@pytest.mark.parametrize(
    "mark", ["\v", "\f", "\x1c", "\x1e", "\x85", "\u2028", "\u2029", "\r", "\n"]
)
def test_only_a_line_end_ends_a_row(mark):
    table = csv(f'key,hours\na,"ma 9:00-12:00{mark}za 9:00-11:00"\nb,di\n')

    assert [row.cells for row in table.rows] == [
        {"key": "a", "hours": "ma 9:00-12:00 za 9:00-11:00"}, {"key": "b", "hours": "di"},
    ]  # fmt: skip
    assert [row.number for row in table.rows] == [2, 3]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "cp1252"])
def test_the_encoding_of_a_text_is_detected(encoding):
    text = "key;name\nzoe;Zoë “de” Réünie\n"
    table = csv("\ufeff" + text if encoding == "utf-16-be" else text, encoding)

    assert table.rows[0].cells["name"] == "Zoë “de” Réünie"
    assert bool(said(table, Weight.REPORTED)) is (encoding == "cp1252")


@pytest.mark.parametrize("line", ["a,A,ma-vr 8:30-12:00, 13:00-17:00", "a,A,x,,y", "a,A,,,z"])
def test_a_surplus_cell_is_a_mistake_with_its_row(line):
    table = csv(f"key,name,hours\nb,B,di\n{line}\n")

    assert said(table, Weight.WRONG) == [(3, "")]
    assert "hours" not in table.rows[1].cells


def test_a_cell_without_a_heading_is_a_mistake():
    assert said(csv("key,,name\na,x,A"), Weight.WRONG) == [(2, "")]


def test_a_missing_cell_leaves_its_field_unchanged():
    table = csv("key,name,hours\na,A\nb\nc,C,\n")

    assert [row.cells for row in table.rows] == [
        {"key": "a", "name": "A"}, {"key": "b"}, {"key": "c", "name": "C", "hours": ""},
    ]  # fmt: skip
    assert said(table, Weight.REPORTED) == [(2, ""), (3, "")]


@pytest.mark.parametrize("text", ['key,name\na,"A\n', 'key,name\na,"A" b\n', "key,KEY\na,b"])
def test_an_ambiguous_table_is_refused(text):
    with pytest.raises(BadInput):
        csv(text)


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_what_is_written_reads_back(ending):
    rows = [["0477", "=1+1"], ["a\u2028b, c", "'x"], ["8.03e7", "1-3"], ["", "é|ü"]]
    rows += [["+32 89 00 51 04", "-3,5"], ["@a", "-a"]]

    table = read_table(write_table(["key", "name"], rows, ending), f"a.{ending}")

    assert [[row.cells["key"], row.cells["name"]] for row in table.rows] == [
        ["0477", "=1+1"], ["a b, c", "'x"], ["8.03e7", "1-3"], ["", "é|ü"],
        ["+32 89 00 51 04", "-3,5"], ["@a", "-a"],
    ]  # fmt: skip
    assert table.doubts == ()


@pytest.mark.parametrize("shown", ["1,2007E+07", "9.03E+15", "#N/B", "#REF!", "#DEĞER!", "####"])
def test_values_that_a_spreadsheet_damaged_are_a_mistake(shown):
    for table in (csv(f"key;name;phone\na;A;{shown}\n"), xlsx(("a", "A", shown))):
        assert said(table, Weight.WRONG) == [(2, "phone")]
        assert "phone" not in table.rows[0].cells


@pytest.mark.parametrize("text", ["E+1", "2E10", "#1", "# Onthaal", "#zorg", "1.5"])
def test_texts_that_look_like_a_damaged_number_are_kept(text):
    assert csv(f"key;name;phone\na;A;{text}\n").rows[0].cells["phone"] == text


def test_a_formula_in_a_text_file_is_a_mistake():
    table = csv('key;name;phone\na;=B1;="0477123456"\nb;B;"=""089 00 51 04"""\n')

    assert said(table, Weight.WRONG) == [(2, "name")]
    assert "name" not in table.rows[0].cells
    assert [row.cells["phone"] for row in table.rows] == ["0477123456", "089 00 51 04"]


def bare_book(body):
    """Return a workbook of 5 kB or less whose sheet ends with what it is given."""
    return patched(book(("a", "A", "1")), "</sheetData>", body)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('</sheetData><mergeCells><mergeCell ref="A2:XFD1048576"/></mergeCells>', "Merged cells"),
        ('</sheetData><mergeCells><mergeCell ref="E2:Z2000"/></mergeCells>', "Merged cells"),
        (
            "</sheetData><mergeCells>"
            + "".join(f'<mergeCell ref="E{n}:Z{n + 9}"/>' for n in range(2, 2_000, 10))
            + "</mergeCells>",
            "Merged cells",
        ),
        ('<row r="9"><c r="XFD9" t="inlineStr"><is><t>x</t></is></c></row></sheetData>', "16384"),
    ],
)
def test_a_small_workbook_that_expands_is_refused_before_it_is_expanded(body, words):
    data = bare_book(body)
    assert len(data) < 8_000
    started = perf_counter()

    with override("en"), pytest.raises(BadInput, match=words):
        read_table(data, "rows.xlsx")

    assert perf_counter() - started < 10


def test_a_workbook_that_needs_too_much_memory_ends_only_its_own_process(monkeypatch):
    monkeypatch.setattr(workbook, "_confined", Confined(250 * 1024**2, most=1))
    rows = f"<row>{'<c><v>1</v></c>' * 10}</row>" * 30_000

    with override("en"), pytest.raises(BadInput, match="save the sheet you need as CSV"):
        read_table(bare_book(f"{rows}</sheetData>"), "rows.xlsx")


def test_a_workbook_with_xml_entities_is_refused():
    entity = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    named = patched(book(), "<worksheet", f"{entity}<worksheet")

    with override("en"), pytest.raises(BadInput, match="not a readable workbook"):
        read_table(patched(named, "<sheetData>", "&b;<sheetData>"), "rows.xlsx")


def test_a_table_of_too_many_columns_is_refused():
    with override("en"), pytest.raises(BadInput, match="at most 300"):
        csv(",".join(f"c{n}" for n in range(200_000)) + "\n" + "x\n" * 4_000)


@pytest.mark.alone
@pytest.mark.soak
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_twice_as_many_cells_take_twice_as_long(ending):
    def made(count):
        rows = [[f"cel {n}"] * 10 for n in range(count // 10)]
        return write_table([f"k{n}" for n in range(10)], rows, ending)

    # The process of workbooks is not ours: its work is done here, to be measured.
    def read(data):
        return read_table(data, "a.csv") if ending == "csv" else work(data, None, "", None)

    assert growth(read, made) <= MOST
