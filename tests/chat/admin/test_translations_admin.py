"""Staff translate sections in a form and in a spreadsheet, and see which pages have moved on."""

import csv
import io

import pytest

from chat.models import PassageTranslation
from retrieval.models import Chunk, Document
from tests.factories import message
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
PAGE = "/admin/chat/passagetranslation/"
SECTION = "Parkeren is gratis.\n- Kaart nemen\n- Kaart tonen"
ROW = {
    "page": "parking.html", "source": SECTION, "language": "en", "heading": "Parking",
    "text": "Parking is free.\n- Take a ticket\n- Show the ticket", "read_by": "Anna",
}  # fmt: skip


@pytest.fixture
def chunk(hospital):
    page = Document.objects.create(
        hospital=hospital, path="parking.html", url="https://zt.example/p", title="Parking"
    )
    return Chunk.objects.create(
        hospital=hospital, document=page, content=f"Welkom.\n## Parking\n{SECTION}", ordinal=0
    )


@pytest.fixture
def curator(hospital, chunk):
    return signed_in(hospital, Role.CURATOR)


def upload(client, data, ending="csv"):
    file = io.BytesIO(data)
    file.name = f"rows.{ending}"
    return client.post(f"{PAGE}import/", {"file": file})


def test_a_section_is_translated_in_the_form(curator):
    curator.post(f"{PAGE}add/", ROW)

    assert PassageTranslation.objects.get().record.text == ROW["text"]
    assert "Parking" in curator.get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("page", "elsewhere.html", "This page does not exist."),
        ("source", "Parkeren kost geld.", "The page has no section with this text"),
        ("text", "Parking is free.", "3 ≠ 1"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(curator, field, value, sentence):
    page = curator.post(f"{PAGE}add/", ROW | {field: value})

    assert sentence in page.content.decode()
    assert not PassageTranslation.objects.exists()


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_spreadsheet_keeps_the_lines_of_a_section(curator, ending):
    curator.post(f"{PAGE}add/", ROW)
    data = curator.get(f"{PAGE}export/{ending}/").content

    assert "Nothing: the draft already contains all of this." in upload(curator, data, ending).text


def test_a_section_is_translated_once_into_a_language(curator):
    for _time in range(2):
        page = curator.post(f"{PAGE}add/", ROW)

    assert page.status_code == 200
    assert PassageTranslation.objects.count() == 1


def test_a_translation_of_what_its_page_no_longer_says_is_found(curator, chunk):
    curator.post(f"{PAGE}add/", ROW)
    (row,) = curator.get(PAGE).context["cl"].result_list
    assert not row.is_gone

    Chunk.objects.filter(pk=chunk.pk).update(content="Welkom.\n## Parking\nParkeren kost € 2.")

    (row,) = curator.get(PAGE).context["cl"].result_list
    assert row.is_gone


def test_what_is_quoted_most_comes_with_the_spreadsheet_and_goes_back_filled_in(
    curator, chunk, hospital
):
    quoted = {"chunk_id": chunk.pk, "passage": "Kaart nemen", "language": "nl"}
    message(hospital, language="en", citations=[quoted])
    text = curator.get(f"{PAGE}export/csv/").content.decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["page"], row["language"], row["source"], row["text"]) == (
        "parking.html", "en", SECTION, "",
    )  # fmt: skip
    assert "Nothing: the draft already contains all of this." in upload(curator, text.encode()).text

    file = io.StringIO()
    table = csv.DictWriter(file, row)
    table.writeheader()
    table.writerow(row | {"text": ROW["text"], "heading": "Parking"})
    page = upload(curator, file.getvalue().encode())
    curator.post(f"{PAGE}import/", {"table": page.context["token"]})

    assert PassageTranslation.objects.get().text == ROW["text"]
