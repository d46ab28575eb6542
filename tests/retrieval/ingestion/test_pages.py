"""A page is read as it is shown: what counts, whole, and each thing under what it belongs to."""

import pytest

from retrieval.reading.blocks import Block, Sort, clean
from retrieval.reading.html import read_html, read_markdown, read_text
from retrieval.reading.visible import raised, written_out


def lines_of(blocks: tuple[Block, ...]) -> list[str]:
    """Return the lines of a page, with its headings, items and names of columns marked."""
    found, header = [], ""
    for block in blocks:
        if block.header and block.header != header:
            found.append(block.header)
        header = block.header
        mark = "## " if block.sort is Sort.HEADING else block.mark
        found.append(f"{mark}{block.text}")
    return found


def read(body: str, styles: str = "", language: str = "nl") -> list[str]:
    page = (
        f"<!doctype html><html lang={language}><head><meta charset=utf-8><style>{styles}</style></head>"
        f"<body><main><h1>Oogkliniek</h1>{body}</main></body></html>"
    )
    return lines_of(read_html(page.encode()))[1:]


@pytest.mark.parametrize(
    ("struck", "styles"),
    [
        ("<del>van 7 tot 9</del>", ""),
        ("<span style='text-decoration: line-through red'>van 7 tot 9</span>", ""),
        (
            "<span class='oud nu'>van 7 tot 9</span>",
            ".nu{} em, .oud { text-decoration: line-through }",
        ),
        ("<i>van 7 tot 9</i>", "p i, td i, li i { text-decoration: line-through }"),
        ("<span hidden>van 7 tot 9</span>", ""),
        ("<span style='display:none'>van 7 tot 9</span>", ""),
        ("<span style='position:absolute; left:-9999px'>van 7 tot 9</span>", ""),
        ("<span style='font-size:1px;color:#fff'>van 7 tot 9</span>", ""),
        ("<span style='font-size: 0.01em'>van 7 tot 9</span>", ""),
        ("<span style='color: white'>van 7 tot 9</span>", ""),
        ("<span class=x>van 7 tot 9</span>", "a{color:red} span.x , b { visibility: hidden }"),
        ("<!-- van 7 tot 9 -->", ""),
    ],
)
@pytest.mark.parametrize(
    "place", ["<p>{}</p>", "<ul><li>{}</ul>", "<table><tr><td>Uur<td>{}</table>"]
)
def test_what_no_longer_counts_is_not_read(struck, styles, place):
    said = " ".join(read(place.format(f"Open {struck} van 8 tot 10 uur"), styles))

    assert "van 7" not in said
    assert "van 8 tot 10 uur" in said


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("8<sup>15</sup> tot 16<sup>45</sup> uur", "8:15 tot 16:45 uur"),
        ("€ 23<sup>50</sup>", "€ 23,50"),
        ("een zaal van 30 m<sup>2</sup>", "een zaal van 30 m²"),
        ("€ 40<sup>1</sup>", "€ 40 (1)"),
        ("Tarief<sup>2</sup>", "Tarief (2)"),
        ("de 1<sup>e</sup> verdieping", "de 1e verdieping"),
        ("5 × 10<sup>9</sup>/l", "5 × 10^9/l"),
        ("van 09h<sup>30</sup> tot 17 u<sup>15</sup>", "van 09h30 tot 17 u15"),
        ("drink 1<sup>3/4</sup> liter", "drink 1 3/4 liter"),
        ("9<small>30</small>", "9:30"),
        ("9<span style='vertical-align:super'>30</span>", "9:30"),
        ("van 9³⁰ tot 12⁰⁰", "van 9:30 tot 12:00"),
    ],
)
def test_small_raised_figures_are_no_part_of_the_number_before_them(html, said):
    assert read(f"<p>{html}</p>", ".m { vertical-align: top; font-size: .6em }") == [said]


LABEL = "<p><label>Telefoon</label> {} 012 00 84 12</p>"
GRID = "".join(f"<span>{cell}</span>" for cell in ("ma", "8-11", "di", "9-12"))
#: What stands on a page, its styles, and the lines that are read.
SHOWN = [
    ("<p>Open tot 10 uur.</p><button>Afdrukken</button>", "", ["Open tot 10 uur."]),
    ("<p class=uur>Open tot 10 uur.</p>", "@media print { .uur { display: none } } .uur { display: none } p.uur { display: block }",
     ["Open tot 10 uur."]),
    ("Vooraf<p>Alinea</p>tussen<br>regels<br><br>apart<ul><li>item</li></ul>achteraan<div>doos</div>slot", "",
     ["Vooraf", "Alinea", "tussen regels", "apart", "- item", "achteraan", "doos", "slot"]),
    ("<address>Kade 7<br>9000 Gent<br>Tel. 011 00 22 33</address>", "", ["Kade 7, 9000 Gent Tel. 011 00 22 33"]),
    ("<p>Open.</p><p>Bijgewerkt: <time datetime=2026-01-02>2/1/2026</time></p>", "", ["Open."]),
    # Letters and signs.
    ("<h2>Kine&shy;si</h2><p>ver&shy;die&#8203;ping&#8288; a&zwnj;b 👩\u200d⚕️ می\u200cروم</p>", "",
     ["## Kinesi", "verdieping ab 👩\u200d⚕️ می\u200cروم"]),
    ("<p>Telefoon:\u200e 012 00 41 52\u200f. Fax 012 00 41 53.</p>", "", ["Telefoon: 012 00 41 52. Fax 012 00 41 53."]),
    ("<p><b>V</b>oet<i>zorg</i> <span>V</span><span>oet</span></p>", "", ["Voetzorg Voet"]),
    ("<p><span>vrijdag</span><span>10</span><span>12</span></p>", "", ["vrijdag 10 12"]),
    # A number in several letters is one; minutes stay apart from their hour.
    ("<p>Tramadol <span>5</span><span>0</span> mg</p>", "", ["Tramadol 50 mg"]),
    ("<p><b>1</b>000 mg</p>", "", ["1000 mg"]),
    ("<p><span>0</span>12 00 92 <span>3</span>7</p>", "", ["012 00 92 37"]),
    ("<p><span>8</span><span>30</span></p>", "", ["8 30"]),
    ("<p>8<span>30</span> en <b>9</b>15</p>", "", ["8 30 en 9 15"]),
    ("<p><span>9-12</span><span>14-17</span></p>", "", ["9-12 14-17"]),
    # Boxes beside each other, and what opens a box or names a field.
    ("<div class=r><div>maandag</div><div>8-11</div></div>" * 2, ".r{display:flex}", ["maandag 8-11"] * 2),
    (f"<div class=g>{GRID}</div>", ".g{display:grid;grid-template-columns:repeat(2,1fr)}", ["ma 8-11", "di 9-12"]),
    ("<div style='display: inline-flex'><b>zaterdag</b><b>8.05</b><b>10.55</b></div>", "", ["zaterdag 8.05 10.55"]),
    ("<div><div role=button>Hoe vaak?</div><div>Om de 21 dagen.</div></div>", "", ["## Hoe vaak?", "Om de 21 dagen."]),
    (LABEL.format(""), "", ["Telefoon 012 00 84 12"]),
    (LABEL.format("<input>"), "", ["012 00 84 12"]),
    # Names and their values: a question is a heading over its answers.
    *((f"<dl><dt>{asked}<dd>Ja.<dd>Niet zwemmen.<dt>Bellen?<dd>Altijd.</dl>", "",
       [f"## {asked}", "Ja.", "Niet zwemmen.", "## Bellen?", "Altijd."])
      for asked in ("Mag ik douchen?", "Μπορώ να κάνω ντους;")),
    ("<dl><div><dt>Telefoon</dt><dd>011 00 10 00</dd></div><dt>Waar?</dt><dd>Gang A</dd><dd>Gang B</dd></dl>", "",
     ["- Telefoon: 011 00 10 00", "- Waar? Gang A, Gang B"]),
    # Items keep their dash or number.
    ("<ul><li>uw kaart</li></ul><ol><li>Meld u.<li>Wacht.</ol><ol start=7><li>Klaar.</ol>", "",
     ["- uw kaart", "1. Meld u.", "2. Wacht.", "7. Klaar."]),
    # Tables.
    ("<table><tr><th>Wat<th>Prijs<tr><td>Verblijf<td><table><tr><td>kamer<td>€ 41<tr><td>fiets<td>€ 3</table></table>", "",
     ["| Wat | Prijs", "Verblijf | kamer: € 41; fiets: € 3"]),
    ("<table><tr><td><h2>Links</h2>Een.<td><h2>Rechts</h2>Twee.</table>", "", ["## Links", "Een.", "## Rechts", "Twee."]),
    ("<div role=table><div role=row><i role=columnheader>Dag</i><i role=columnheader>Uur</i></div>"
     "<div role=row><i role=cell>ma</i><i role=cell>9-12</i></div></div>", "", ["| Dag | Uur", "ma | 9-12"]),
    ("<table><tr><td><b>Dag</b><td><b>Uur</b><tr><td>ma<td>9-12</table>", "", ["| Dag | Uur", "ma | 9-12"]),
    ("<div class=t><div class=r><i class=c>ma</i><i class=c>9-12</i></div></div>",
     ".t{display:table}.r{display:table-row}.c{display:table-cell}", ["ma | 9-12"]),
    ("<table><tr><td>Duur</td><td>20 minuten</td></tr><tr><td>Waar</td><td>route 4</td></tr></table>", "",
     ["Duur | 20 minuten", "Waar | route 4"]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "styles", "lines"), SHOWN)
def test_what_is_shown_is_read(body, styles, lines):
    assert read(body, styles) == lines


def test_what_is_raised_is_written_out_for_any_reader():
    assert clean(f"8{raised('30')} uur") == "8:30 uur"


BOXES = "<b class=d>{}</b><span class=u>{}</span><span class=u>{}</span>"


@pytest.mark.parametrize(
    "styles",
    [".d, .u { display: inline-block }", ".r > * { display: block }", ".r { display: flex }",
     ".r { display: grid; grid-template-columns: 1fr 1fr 1fr }", ".u { float: left }"],
)  # fmt: skip
@pytest.mark.parametrize("tag", ["div", "li", "p"])
def test_boxes_beside_each_other_are_parted(styles, tag):
    rows = "".join(
        f"<{tag} class=r>{BOXES.format(*row)}</{tag}>"
        for row in (("ma", "8.00", "11.00"), ("di", "13.00", "15.30"))
    )

    said = read(rows, styles)

    assert [line.removeprefix("- ").replace(",", "") for line in said] == [
        "ma 8.00 11.00",
        "di 13.00 15.30",
    ]


@pytest.mark.parametrize(
    "item",
    [
        "<h3><button aria-expanded=false>{q}</button></h3><div hidden>{a}</div>",
        "<dl><dt><button aria-expanded=false>{q}</button></dt><dd><p>{a}</p></dd></dl>",
        "<details><summary>{q}</summary>{a}</details>",
        "<div><button>{q}</button><div>{a}</div></div>",
        "<div><div role=button aria-expanded=false>{q}</div><div>{a}</div></div>",
        "<div><input type=checkbox id=c><label for=c>{q}</label><div>{a}</div></div>",
        "<button aria-controls=x>{q}</button><div id=x hidden>{a}</div>",
    ],
)
def test_the_question_that_opens_an_answer_is_its_heading(item):
    said = read(item.format(q="Mag ik zwemmen?", a="Neen, twee weken niet."))

    assert said == ["## Mag ik zwemmen?", "Neen, twee weken niet."]


def test_tabs_are_the_headings_of_their_panels():
    tabs = "".join(
        f"<li><a role=tab href='#{n}' aria-controls={n}>{t}</a></li>"
        for n, t in (("a", "Bezoek"), ("b", "Parking"))
    )
    panels = (
        "<div id=a role=tabpanel>Tot 20 uur.</div><div id=b role=tabpanel hidden>€ 2 per dag.</div>"
    )

    assert read(f"<ul role=tablist>{tabs}</ul>{panels}") == [
        "## Bezoek", "Tot 20 uur.", "## Parking", "€ 2 per dag.",
    ]  # fmt: skip


def test_the_content_is_found_on_a_page_that_marks_none():
    page = """<body><div id=top><ul><li><a href=/a>Home</a><li><a href=/b>Artsen</a><li><a href=/c>Nieuws</a></ul></div>
    <div class=wrap><div class=text><h1>Bloedafname</h1><p>Voor een bloedafname hebt u geen afspraak nodig,
    maar wel een aanvraag van uw huisarts of specialist. Breng ook uw identiteitskaart mee.</p>
    <p>Het prikpunt is open van 7.30 tot 16 uur, elke werkdag, en op zaterdag tot de middag.</p>
    <table><tr><th>Dag<th>Uur<tr><td>ma<td>7-16</table></div></div>
    <div id=bottom><a href=/p>Privacy</a> <a href=/q>Cookies</a> <a href=/r>Disclaimer</a></div></body>"""

    said = lines_of(read_html(page.encode()))

    assert said[0] == "## Bloedafname"
    assert said[-2:] == ["| Dag | Uur", "ma | 7-16"]
    assert not {"Home", "Privacy"} & set(" ".join(said).split())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\ntitle: Parkeren\nauthor: team\n---\nEen uur<br>kost € 2.", ["## Parkeren", "Een uur kost € 2."]),
        ("+++\ntitle = 'Parkeren'\ndraft = true\n+++\n# Auto\n\nTekst.", ["## Auto", "Tekst."]),
        ("---\ntitle: a: b\n---\nTekst.", ["Tekst."]),
        ("---\n\nEen zin.\n\n---\n\nNog een.", ["Een zin.", "Nog een."]),
        ("De prijs is ~~€ 9~~ € 8.<!-- oud -->", ["De prijs is € 8."]),
        ("<!--\nweg\n-->\n\n&euro;&nbsp;8 &amp; meer", ["€ 8 & meer"]),
        ("|Dag|Uur|\n|---|---|\n|ma|9-12<br>14-17|", ["| Dag | Uur", "ma | 9-12, 14-17"]),
        ("Kost 48 euro[^1], soms[^1].\n\n[^1]: Gratis voor\n    kinderen.\n", ["Kost 48 euro (Gratis voor kinderen), soms."]),
        ("Kost 48 euro.\n\n[^1]: Gratis\n", ["Kost 48 euro.", "Gratis"]),
        ("8<sup>30</sup>, <del>9 uur</del>\n\n- [ ] kaart\n- pas < 5 jaar", ["8:30,", "- [ ] kaart", "- pas < 5 jaar"]),
    ],
)  # fmt: skip
def test_markdown_is_read_as_the_page_that_it_describes(text, said):
    assert lines_of(read_markdown(text.encode())) == said


def test_a_raised_figure_behind_an_endless_number_ends_no_reader():
    said = written_out(f"{'7' * 5_000}{raised('30')} en 8{raised('30')}")

    assert said.endswith("en 8:30")


PICTURES = {
    "a picture": ("<img src=v.svg alt=ja>", "<p><a href=x><img src=x.svg alt=neen></a></p>"),
    "a drawing": (
        "<svg><title>ja</title><path/></svg>",
        "<svg role=img aria-label=neen><path/></svg>",
    ),
    "a sign of a font": (
        "<i class='fa fa-check' title=ja></i>",
        "<i class='fa fa-times' aria-hidden=true title=neen></i>",
    ),
    "a named box": (
        "<span role=img aria-label=ja></span>",
        "<span class=no aria-label=neen></span>",
    ),
    "words for readers of screens": (
        "<i class=y aria-hidden=true></i><span class=sr-only>ja</span>",
        "<span class=visually-hidden>neen</span>",
    ),
}


@pytest.mark.parametrize(("yes", "no"), PICTURES.values(), ids=PICTURES)
def test_a_cell_says_what_its_picture_says(yes, no):
    rows = f"<tr><td>Noord<td>{yes}<td>{no}<tr><td>Zuid<td>{no}<td>{yes}"
    table = f"<table><tr><th>Campus<th>Parking<th>Winkel{rows}</table>"

    assert read(table)[-2:] == ["Noord | ja | neen", "Zuid | neen | ja"]


@pytest.mark.parametrize("decoration", ["<img src=t alt=Telefoon>", "<img src=t role=none alt=x>"])
def test_a_picture_beside_a_text_is_decoration(decoration):
    assert read(f"<ul><li>{decoration} 012 00 44 61<li><img alt='' src=x></ul>") == [
        "- 012 00 44 61"
    ]


MAIL = "voet@beuk.example"
CLOAK = """<span id="cloak7">Dit adres wordt beveiligd tegen spambots.</span><script>
var prefix = '&#109;a' + 'i&#108;' + '&#116;o'; var addy7 = 'v&#111;et' + '&#64;';
addy7 = addy7 + 'beuk' + '&#46;' + 'example';
document.getElementById('cloak7').innerHTML += '<a ' + prefix + addy7 + '>' + addy7;</script>"""


def cloudflare(key: int) -> str:
    return bytes([key, *(ord(letter) ^ key for letter in MAIL)]).hex()


@pytest.mark.parametrize(
    "hidden",
    [
        f"<a href=/cdn-cgi/l/email-protection data-cfemail={cloudflare(75)}>[email&#160;protected]</a>",
        f"<span data-cfemail={cloudflare(7)}>[e-mail beschermd]</span>",
        "<a href=\"javascript:linkTo_UnCryptMailto('ocknvq,xqgvBdgwm0gzcorng')\">voet(at)beuk.example</a>",
        f"<span style='unicode-bidi:bidi-override; direction:rtl'>{MAIL[::-1]}</span>",
        "<a href='#' data-user=voet data-domain=beuk.example></a>",
        "<span data-mail=dm9ldEBiZXVrLmV4YW1wbGU=></span>",
        CLOAK,
    ],
)
@pytest.mark.parametrize("place", ["<p>Mail {} voor vragen.", "<table><tr><th>Mail<tr><td>Mail {}"])
def test_an_address_that_is_hidden_from_harvesters_is_read(hidden, place):
    text = read(place.format(hidden))[-1]

    assert text.startswith(f"Mail {MAIL}")
    assert "protected" not in text


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (f"<a href='mailto:{MAIL}?subject=x'>Mail ons</a>", f"Mail ons ({MAIL})"),
        (f"<a href=mailto:{MAIL}>{MAIL}</a>", MAIL),
        ("<a href=tel:012004461>Bel ons</a>", "Bel ons (012004461)"),
        ("<a href=tel:+3212004461>012 00 44 61</a>", "012 00 44 61"),
        ("<a href=mailto:?body=x>Deel dit</a>", "Deel dit"),
    ],
)
def test_a_link_says_the_address_that_it_does_not_show(link, said):
    assert read(f"<p>Vragen? {link}.") == [f"Vragen? {said}."]


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("de <span>zieken</span><span>huis</span>apotheek", "de ziekenhuisapotheek"),
        ("Revalidatiearts: de <span>revalidatie</span><span>arts</span>", "Revalidatiearts: de revalidatiearts"),
        ("<span>maandag</span><span>gesloten</span>", "maandag gesloten"),
        ("<span>Dag</span><span>Ziekenhuis</span>", "Dag Ziekenhuis"),
    ],
)  # fmt: skip
def test_a_word_that_is_cut_into_elements_is_one_word(html, said):
    assert read(f"<p>{html}") == [said]


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("PatiÃ«nten betalen â‚¬ 15 voor cafÃ© Ã  la carte", "Patiënten betalen € 15 voor café à la carte"),
        ("SecÈ›ia de urgenÈ›Äƒ", "Secția de urgență"),
        ("Î Î±Î¸Î¿Î»Î¿Î³Î¹ÎºÎ® ÎºÎ»Î¹Î½Î¹ÎºÎ®", "Παθολογική κλινική"),
        ("HastalarÄ±mÄ±z iÃ§in", "Hastalarımız için"),
        ("Pati&amp;euml;nten &amp;amp; bezoek", "Patiënten & bezoek"),
        ("Één café, größer, çığ, ştiinţă, Ωμέγα", "Één café, größer, çığ, ştiinţă, Ωμέγα"),
        ('Open: {{ uren }} [contact-form-7 id="1" title="x"]en [bron 1] [/tab]zaal', "Open: en [bron 1] zaal"),
        ("Bel ${tel} &lt;%= uren %> %%naam%%[[plaats]]om 8 {uur}, 50 % korting", "Bel om 8 {uur}, 50 % korting"),
    ],
)  # fmt: skip
def test_letters_that_were_encoded_twice_or_never_filled_in(html, said):
    assert read(f"<p>{html}</p><ul><li>{html}</ul>") == [said, f"- {said}"]


@pytest.mark.parametrize(
    ("opening", "marks"),
    [
        ("<ol type=a start=2>", ["b", "c", "f"]),
        ("<ol style='list-style-type: upper-roman'>", ["I", "II", "VI"]),
        ("<ol type=A>", ["A", "B", "F"]),
        ("<ol>", ["1", "2", "6"]),
    ],
)
def test_a_list_is_numbered_as_it_is_shown(opening, marks):
    items = read(f"{opening}<li>een<li>twee<li value=6>zes</ol>")

    assert [item.partition(".")[0] for item in items] == marks
    assert read("<ol reversed><li>twee<li>een</ol>") == ["2. twee", "1. een"]


@pytest.mark.parametrize(
    "frame",
    [
        "<div class=x><p>Wij gebruiken koekjes om de site te verbeteren.</p><button>Goed</button></div>",
        "<div><p>Schrijf u in op onze brief</p><form><input></form></div>",
        "<section><h3>Lees ook</h3><div><a href=/n>Nieuwe parking</a><div>De parking is open.</div></div></section>",
        "<div><p>Alle rechten</p><ul><li><a href=/a>Privacy<li><a href=/b>Sitemap</a></ul></div>",
        "<p><small>Versie van de drukker</small></p>",
    ],
)
def test_what_is_left_of_the_frame_at_the_end_is_not_read(frame):
    body = (
        "<p>Voor een bloedafname hebt u geen afspraak nodig, maar wel een aanvraag.</p>"
        "<p>Het prikpunt is open van 7.30 tot 16 uur, elke werkdag, en op zaterdag tot 12 uur.</p>"
        "<p>Breng uw identiteitskaart mee, en een lijst van de geneesmiddelen die u neemt.</p>"
    )
    box = "<div><p>Bel 012 00 44 61.</p><button>Deel</button></div>"

    assert read(body + frame) == read(body)
    assert read(body + box)[-1] == "Bel 012 00 44 61."


@pytest.mark.parametrize(
    "panel",
    [
        "<h3>Mag ik eten?</h3><div style='display:none'>Neen, u komt nuchter.</div><h3>Nog iets</h3>",
        "<h3 onclick='open(1)'>Mag ik eten?</h3><div hidden>Neen, u komt nuchter.</div><p>Slot.",
        "<dl><dt>Mag ik eten?<dd style='display:none'>Neen, u komt nuchter.</dl>",
        "<label for=a>Mag ik eten?</label><input type=checkbox id=a><div style='display:none'>Neen, u komt nuchter.</div>",
    ],
)  # fmt: skip
def test_what_a_script_opens_below_a_question_is_read(panel):
    assert "## Mag ik eten?\nNeen, u komt nuchter." in "\n".join(read(panel))


def test_what_is_hidden_between_a_heading_and_its_text_is_not_read():
    body = "<h3>Prijs</h3><p style='display:none'>Oud: € 9.</p><p>De prijs is € 8.</p>"

    assert read(body) == ["## Prijs", "De prijs is € 8."]


def test_a_panel_behind_a_box_that_serves_as_a_button_is_read():
    body = (
        "<div><div role=button aria-expanded=false>Mag ik eten?</div>"
        "<div style='display:none' aria-hidden=true><p>Neen, u komt nuchter.</p></div></div>"
        "<div role=heading aria-level=3>Daarna</div><p>U rust uit.</p>"
    )

    assert read(body) == ["## Mag ik eten?", "Neen, u komt nuchter.", "## Daarna", "U rust uit."]


def test_a_plain_text_has_the_items_that_its_marks_show():
    text = "Bel 012 00\n44 75.\n\nBreng mee:\n- uw kaart\n  en pas\n* geld\n1. eerst\n2) dan\n\n9-12 uur"

    said = lines_of(read_text(text.encode()))

    assert said == [
        "Bel 012 00 44 75.", "Breng mee:", "- uw kaart en pas", "- geld", "1. eerst", "2. dan",
        "9-12 uur",
    ]  # fmt: skip
