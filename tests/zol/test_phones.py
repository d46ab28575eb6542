"""Telephone numbers in sentences, and their form in links."""

import time

import pytest

from zol import phones

#: Country of the hospital, what is written, what a link dials; a fax behind "fax".
FORMS = """
be | 089 32 50 50 | +3289325050
be | 089/32.50.50 | +3289325050
be | (089) 32 50 50 | +3289325050
be | +32 (0)89 32 50 50 | +3289325050
be | 0032 (0)89 32 50 50 | +3289325050
be | van 8.30-12.00 089 00 44 61 | +3289004461
be | 089 32 50 50 (toestel 1234) | +3289325050
be | 089 32 50 50 – 51 | +3289325050 +3289325051
be | 089 32 50 50/60 | +3289325050 +3289325060
be | 089 32 50 50 - 24 uur op 24 | +3289325050
be | tel. 089 32 50 50, fax 089 32 50 51 | +3289325050 fax +3289325051
be | fax: 089 32 50 51 tel: 089 32 50 50 | fax +3289325051 +3289325050
be | 02 477 41 11/02 477 41 12 | +3224774111 +3224774112
be | 0470 12 34 56 0471 12 34 56 | +32470123456 +32471123456
be | gsm 0477 / 12 34 56 | +32477123456
be | 0477\u00a012\u202f34\u202f56 | +32477123456
be | 078 15 00 20 of 070 245 245 | +3278150020 +3270245245
be | +90 532 123 45 67 | +905321234567
nl | 043 - 387 65 43 | +31433876543
nl | 0900-8844 | +319008844
de | +49 (0) 241 80-88888, 9-12 Uhr | +492418088888
fr | 01.23.45.67.89 | +33123456789
fr | 14h00-16h30 04 78 12 34 56 | +33478123456
fr | Tél. 04 78 12 34 56 – Télécopie : 04 78 12 34 57 | +33478123456 fax +33478123457
lu | 27 55 12 34 | +35227551234
gb | (020) 7946 0018 ext 3 | +442079460018
it | 06 12345678 | +390612345678
ro | 021 317 01 01 | +40213170101
tr | 0(212) 414 20 00 | +902124142000
gr | 210 123 4567, 210 123 4568 | +302101234567 +302101234568
gr | 9:00-14:00 210 123 4567 | +302101234567
us | (212) 555-0123 | +12125550123
be | 089 32 50 |
be | 0241 / 123 45 67 |
be | 0477 12 34 56 78 |
be | 112, 1733 of tel. 4242 |
be | op 01.02.2026 om 10.30 uur |
be | € 1.250,00 of 1 250 000 |
be | 0,089 325050 |
be | kamer 0312, route 089 |
be | 85.07.30-033.28 |
be | 4111 1111 1111 1111 |
be | BE68 5390 0754 7034 |
fr | FR76 3000 6000 0112 3456 7890 189 |
be | BR-0342 123456 |
"""


@pytest.mark.parametrize("form", FORMS.strip().splitlines())
def test_a_number_is_dialled_as_it_is_read(form):
    home, text, dialled = (part.strip() for part in form.split("|"))

    found = [f"fax {p.dialled}" if p.is_fax else p.dialled for p in phones.find(text, home)]

    assert " ".join(found) == dialled


def test_it_says_where_a_number_stands():
    text = "Bel +32 (0)89 32.50.50 – 51 (onthaal)"

    assert [text[p.start : p.end] for p in phones.find(text, "be")] == ["+32 (0)89 32.50.50", "51"]


@pytest.mark.parametrize(
    ("written", "dialled"),
    [
        ("089 32 50 50 / 089 32 50 51", "+3289325050"),
        ("fax 089 32 50 51, tel. 089 32 50 50", "+3289325050"),
        ("112", "112"),
        ("1 8 1 3", "1813"),
        ("", ""),
    ],
)
def test_of_a_field_the_first_number_is_dialled_that_is_no_fax(written, dialled):
    assert phones.dialled(written, "be") == dialled


@pytest.mark.parametrize(
    "text",
    ["0241 / 123 45 67", "0477 12 34 5", "0031 43 387 65 43", "697 918 2736", "0470–12–34–56"],
)
def test_who_hides_numbers_finds_those_of_elsewhere_and_mistyped_ones(text):
    (found,) = phones.likely(f"bel {text}, alstublieft", "be")

    assert (found.start, found.end) == (len("bel "), len("bel ") + len(text))


def test_a_long_row_of_figures_takes_no_time():
    row = " ".join(str(number % 90 + 10) for number in range(20_000))
    begin = time.perf_counter()

    found = [*phones.find(row, "be"), *phones.find("0" * 20_000, "be")]

    assert not found
    assert time.perf_counter() - begin < 2
