"""The content of a page is told from its frame by how the page is made."""

import pytest

from retrieval.reading.html import read_html
from tests.retrieval.ingestion.test_pages import lines_of

TITLE = "<h1>Oogkliniek</h1><p>U komt op afspraak en brengt uw bril en uw lenzen mee.</p>"
CONTENT = ["## Oogkliniek", "U komt op afspraak en brengt uw bril en uw lenzen mee."]
CONTACT = "<h3>Secretariaat</h3><p>Telefoon 012 00 65 30</p><p>Blok M</p>"
NEWS = (
    "<h3>Nieuws</h3><ul><li><a href=/n1>Nieuwe scanner</a> 12 oktober</li>"
    "<li><a href=/n2>Open dag</a> Teddyberen werden geopereerd</li></ul>"
)
MENU = "<ul><li><a href=/1>Zorg</a></li><li><a href=/2>Bezoek</a></li></ul>"


def read(body: str) -> list[str]:
    return lines_of(read_html(f"<html lang=nl><body>{body}</body></html>".encode()))


@pytest.mark.parametrize(
    "page",
    [
        "<main>{title}</main><aside>{contact}{news}</aside>",
        "<main>{title}</main><div class=kolom><div>{contact}</div><div>{news}</div></div>",
        "<div class=rij><main>{title}</main></div><div><header><h3>Secretariaat</h3></header>"
        "<p>Telefoon 012 00 65 30</p><p>Blok M</p></div>",
        "<div>{title}</div><aside>{contact}{news}</aside>",
        "<table><tr><td>{menu}<td>{title}<td>{contact}{news}</table>",
        "<main>{title}<aside>{contact}{news}</aside></main>",
    ],
)
def test_how_to_reach_a_service_is_read_from_beside_the_content_and_news_is_not(page):
    said = read(page.format(title=TITLE, contact=CONTACT, news=NEWS, menu=MENU))

    assert said == [*CONTENT, "## Secretariaat", "Telefoon 012 00 65 30", "Blok M"]


@pytest.mark.parametrize(
    "frame",
    [
        "<div>{}</div><div class=page-footer>AZ Linde, 012 00 00 00</div>",
        "<div id=menu><a href=/1>Zorg</a> <a href=/2>Bezoek</a></div><div>{}</div>",
        "<div>{}</div><div class=onder><a href=/1>Privacy</a> <a href=/2>Klachten</a></div>",
        "<div>{}</div><div id=cookie-bar><p>Wij gebruiken cookies.</p><button>Goed</button></div>",
        "<div>{}</div><a href='#'>Naar boven</a>",
        "<ol><li><a href=/>Home</a><li><a href=/d>Onze diensten</a><li>Oogkliniek</ol><div>{}</div>",
        "<main>{}<p>Was dit nuttig?<button>Ja</button><button>Neen</button></p></main>",
        "<main>{}<h2>Lees ook</h2><ul><li><a href=/1>Bus</a> 4 stopt hier<li><a href=/2>Tram</a>"
        "</ul></main>",
        "<main>{}<p>Bijgewerkt: <time>4 november 2026</time></p></main>",
    ],
)
def test_what_stands_around_the_content_is_not_read(frame):
    assert read(frame.format(TITLE)) == CONTENT


@pytest.mark.parametrize(
    ("body", "last"),
    [
        # An overview is its links.
        (
            "<main><h1>Artsen</h1><ul><li><a href=/a>Dr. Maes</a> hart<li><a href=/b>Dr. Bos</a>"
            " oog</ul></main>",
            "- Dr. Bos oog",
        ),
        (f"<main>{TITLE}<p><a href=tel:1>012 00 65 30</a> <a href=mailto:a>a@b.be</a></p></main>",
         "012 00 65 30 a@b.be"),
        (f"<main>{TITLE}<ol><li id=n>Niet op dinsdag. <a href=#a>↩</a></ol></main>",
         "- Niet op dinsdag. ↩"),
        (f"<div>{TITLE}</div><div id=voet>Nagelezen in mei 2026<br>Kaai 4, 9290 Veld</div>",
         "Nagelezen in mei 2026 Kaai 4, 9290 Veld"),
        ("<p>Let op: op dinsdag is de kliniek de hele dag gesloten voor wie geen afspraak heeft."
         "</p><div><h1>Oog</h1><p>Op afspraak</p></div>", "Op afspraak"),
        (f"<main>{TITLE}<p>Zie <a href=/1>parkeren</a> of <a href=/2>bussen</a>, vlakbij.</p></main>",
         "Zie parkeren of bussen, vlakbij."),
        (f"<main>{TITLE}<ul><li><a href=/1>Tim</a> 012 00 65 30<li><a href=/2>An</a> 012 00 65 31"
         "</ul></main>", "- An 012 00 65 31"),
    ],
)  # fmt: skip
def test_what_looks_like_a_frame_and_says_something_is_read(body, last):
    assert read(body)[-1].replace("1. ", "- ") == last


def test_what_stands_before_the_title_is_read_if_it_says_more_than_the_rest():
    body = (
        "<div>Op dinsdag is de kliniek de hele dag gesloten voor wie geen afspraak heeft.</div>"
        "<div><h1>Oog</h1><p>Op afspraak</p></div>"
    )
    assert len(read(body)) == 3


def test_the_line_over_the_title_belongs_to_it():
    assert read("<div>AZ Linde</div><div><p>Brochure 12</p>" + TITLE)[0] == "Brochure 12"


@pytest.mark.parametrize(
    ("language", "encoding", "said"),
    [
        ("nl", "cp1252", "€ 4 voor één dag"),
        ("el", "cp1253", "Κλινική"),
        ("tr", "cp1254", "Göz kliniği"),
        ("ro", "cp1250", "Secţia"),
    ],
)
@pytest.mark.parametrize("is_declared", [True, False])
def test_an_old_page_is_read_in_the_letters_of_its_language(language, encoding, said, is_declared):
    declared = f'<meta charset="{encoding}">' if is_declared else ""
    page = f'<html lang="{language}"><head>{declared}</head><body><p>{said}</p></body></html>'

    assert [block.text for block in read_html(page.encode(encoding))] == [said]
