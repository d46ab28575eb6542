"""An answer as the page shows it: harmless, and its telephone numbers can be dialled."""

from dataclasses import asdict

import pytest
from django.db import transaction

from chat.channels.frames import Numbers, answer_html, cited, html_of
from chat.checking.base import Citation
from retrieval.models import Document

BELGIAN = Numbers("be", frozenset({"112", "1733", "1813", "106"}), "112")


@pytest.mark.parametrize(
    ("text", "dialled"),
    [
        ("Bel 089 32 50 50.", "+3289325050"),
        ("Bel 089 00 44 61 (9-12 uur)", "+3289004461"),
        ("089 32 50 50 – 51", "+3289325051"),
        ("Bel +32 (0)89 32.50.50", "+3289325050"),
        ("**011/30.00.00**", "+3211300000"),
        ("Bel **112**.", "112"),
        ("Factuur van de ziekenwagen (112)", "112"),
        ("Twijfelt u? 1733 verbindt u door.", "1733"),
        ("Denk je aan zelfdoding? Bel 1813, dag en nacht.", "1813"),
        ("112 numarasını arayın.", "112"),
        ("> Καλέστε το 112", "112"),
        ("- **106** Tele-Onthaal", "106"),
    ],
)
def test_a_telephone_number_and_a_short_one_that_helps_can_be_dialled(text, dialled):
    assert f'<a href="tel:{dialled}">' in html_of(text, BELGIAN)


@pytest.mark.parametrize(
    "text",
    [
        "Op 01/02/2026 om 14:30", "Van 08:00-16:30", "0,5 mg", "3600 Genk 12", "fax 089 32 50 51",
        "Campus Molenberg: Molenbergstraat 112, 9295 Hoogleie", "106 bedden", "1 106 bevallingen",
        "€ 112", "112 €", "112,50", "112%", "2112", "kamer C112", "Bel **113**.",
    ],
)  # fmt: skip
def test_what_is_no_telephone_number_is_left_alone(text):
    assert "tel:" not in html_of(text, BELGIAN)


@pytest.mark.parametrize(
    ("address", "is_link"),
    [
        ("https://www.azm-mini.example/contact", True),
        ("https://afspraak.azm-mini.example/?a=1#b", True),
        ("https://azm-mini.localhost/bron/1/", True),
        ("https://folders.example/rolstoel", True),
        ("tel:011001000", True),
        ("tel:112", True),
        ("https://folders.example/anders", False),
        ("https://evil.example/pay", False),
        ("https://azm-mini.example.evil.example", False),
        ("https://www.azm-mini.example@evil.example", False),
        ("https://evil.example\\@www.azm-mini.example", False),
        ("//evil.example", False),
        ("/admin/logout/", False),
        ("javascript:alert(1)", False),
        ("mailto:a@evil.example", False),
        ("tel:090012345", False),
        ("https://[", False),
    ],
)
def test_a_link_leads_to_what_is_the_hospitals(address, is_link, mini):
    with transaction.atomic():
        page = Document.objects.filter(status=Document.Status.READY).first()
        Document.objects.filter(pk=page.pk).update(url="https://folders.example/rolstoel")
        html = answer_html(f"Zie [**ons**]({address}).")
        transaction.set_rollback(True)

    assert ('rel="noopener noreferrer"><strong>ons</strong></a>' in html) == is_link
    assert ("[<strong>ons</strong>](" in html) != is_link


def test_what_a_text_smuggles_in_does_no_harm():
    html = html_of(
        '<script>alert(1)</script> [x](javascript:alert(1)) <img src="x" alt="089 32 50 50">'
    )

    assert "<script" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html


def source_of(**fields):
    return asdict(Citation(1, "Bezoek", "https://a.be/b", chunk_id=12, **fields))


def test_a_source_opens_all_that_was_quoted_from_it_and_says_of_when_it_is():
    shown = cited(source_of(passage="Kom op tijd.", also=(14,), updated_on="2026-03-01"), "fr")

    assert shown["viewer"] == "/bron/12-14/"
    assert (shown["updated_on"], shown["updated"]) == ("2026-03-01", "1 mars 2026")


@pytest.mark.parametrize(
    ("fields", "address"),
    [
        ({"anchor": "zuid & co"}, "https://a.be/b#zuid%20%26%20co"),
        ({"anchor": "zuid", "page": 3}, "https://a.be/b#page=3"),
        ({}, "https://a.be/b"),
    ],
    ids=["the section", "the page of a PDF", "the page as a whole"],
)
def test_a_source_leads_to_where_it_says_so(fields, address):
    assert cited(source_of(**fields), "nl")["url"] == address


def test_a_source_never_leads_to_a_script_and_opens_whatever_was_kept_of_it():
    kept = {"n": 1, "title": "T", "url": "", "page": 0, "passage": "P", "chunk_id": 12}
    unquoted = cited(source_of(), "nl")

    assert cited(source_of() | {"url": "javascript:alert(1)"}, "nl")["url"] == ""
    assert (unquoted["viewer"], unquoted["updated"]) == ("/bron/12/heel/", "")
    # From before sources had dates.
    assert cited(kept, "nl")["viewer"] == "/bron/12/"
