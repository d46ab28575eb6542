"""The small hospital with a page of doses, and a model that says what a test tells it to."""

import json
import re
import shutil
from collections.abc import Callable
from contextlib import contextmanager

import pytest
from django.db import connections

from chat import services
from chat.turn import Token, Turn
from taxonomy.packs.folder import load_pack, read_pack
from tests.answering import ingest
from tests.databases import databases
from tests.packs import MINI
from tests.scripted import Line, ScriptedEndpoint, llm_at, scripted_endpoint
from zol.tenancy import serving

#: The table ends at ten years and 32 kg: nobody may read on below it.
DOSES = """<html><head><title>Pijnstilling na een ingreep</title></head><body><main>
<h1>Pijnstilling na een ingreep</h1>
<p>Na een ingreep krijgt uw kind pijnstilling mee. De verpleegkundige overloopt het schema met u.</p>
<h2>Siroop per leeftijd</h2>
<table><tr><th>Leeftijd</th><th>Gewicht</th><th>Hoeveelheid siroop</th><th>Hoe vaak</th></tr>
<tr><td>2 tot 3 jaar</td><td>12 tot 15 kg</td><td>6 ml</td><td>4 keer per dag</td></tr>
<tr><td>4 tot 6 jaar</td><td>16 tot 21 kg</td><td>8 ml</td><td>4 keer per dag</td></tr>
<tr><td>7 tot 10 jaar</td><td>22 tot 32 kg</td><td>11 ml</td><td>3 keer per dag</td></tr></table>
<h2>Vragen</h2>
<p>Bel bij vragen naar Longziekten op 011 00 11 10, op werkdagen tussen 9:00 en 16:00.</p>
<p>De siroop kost 7,50 euro in de apotheek van het ziekenhuis.</p>
</main></body></html>"""
#: From the demonstration: what one turn is worked through with.
SCOPY = """<html><head><title>Coloscopie</title></head><body><main><h1>Coloscopie</h1>
<h2>Uw voorbereiding, dag per dag</h2>
<table><tr><th>Wanneer</th><th>Wat doet u?</th></tr>
<tr><td>7 dagen vooraf</td><td>bloedverdunners en diabetesmedicatie met uw arts bespreken</td></tr>
<tr><td>3 dagen vooraf</td><td>vezelarm dieet: wit brood, rijst, vis, kip</td></tr></table>
<h2>Naar huis</h2>
<p>Na een uurtje uitslapen mag u eten. U rijdt tot de volgende dag niet zelf.</p>
<h2>Contact</h2>
<p>De dienst Oogziekten helpt u op 011 00 11 20, van maandag tot vrijdag vanaf 8:30.</p>
</main></body></html>"""
PARKING = """<html><head><title>Parkeren aan de Dijk</title></head><body><main>
<h1>Parkeren aan de Dijk</h1><h2>Tarieven</h2>
<table><tr><th>Parking</th><th>Tarief</th><th>Maximum per dag</th></tr>
<tr><td>Dijk</td><td>€ 1,20 per begonnen uur</td><td>€ 6,00</td></tr></table>
<h2>Dijk</h2>
<p>U rijdt binnen via de Bessemerstraat. De parking is 's voormiddags snel bezet; in de zijstraat
vindt u dan nog een reserveterrein.</p></main></body></html>"""
PAGES = {
    "zorg/pijnstilling.html": ("Pijnstilling na een ingreep", "Treatment", DOSES),
    "zorg/coloscopie.html": ("Coloscopie", "Examination", SCOPY),
    "praktisch/dijk.html": ("Parkeren aan de Dijk", "Location", PARKING),
}
QUESTION = "Welke informatie is er over pijnstilling na een ingreep?"


@pytest.fixture(scope="module")
def hospital_with_doses(committed, django_db_blocker, tmp_path_factory):
    pack = tmp_path_factory.mktemp("pack") / "mini"
    shutil.copytree(MINI, pack)
    add_pages(pack, PAGES)
    with django_db_blocker.unblock():
        databases.renew()
        hospital, _changes = load_pack(read_pack(pack))
        ingest(hospital, path__in=PAGES)
        connections.close_all()
    yield hospital
    databases.spoil()


def add_pages(pack, pages):
    """Add pages to a pack: by path, a title, a category and the HTML."""
    index = pack / "pages" / "index.csv"
    rows = [index.read_text("utf-8").rstrip()]
    for path, (title, category, text) in pages.items():
        (pack / "pages" / path).write_text(text, encoding="utf-8")
        row = dict.fromkeys(rows[0].splitlines()[0].split(","), "") | {
            "path": path, "url": f"https://www.azm-mini.example/{path.removesuffix('.html')}",
            "title": title, "category": category, "language": "nl", "updated_at": "2026-01-10",
            "authority": "1.0", "url_tier": "1",
        }  # fmt: skip
        rows.append(",".join(row.values()))
    index.write_text("\n".join(rows) + "\n", "utf-8")


def said(text, *words, form="sentence"):
    """A statement of a model that names the lines in which these words stand."""
    return {"words": words, "form": form, "text": text}


def show(*words):
    return said("", *words, form="show")


def line_with(words, request):
    """The id of the line of the evidence in which some words stand; of none, one that is not."""
    told = request["messages"][-1]["content"]
    found = re.search(rf"^\[(\d+\.\d+)\] .*{re.escape(words)}", told, re.MULTILINE)
    return found[1] if found else "99.9"


def written(request, *statements, status="complete", missing=()):
    """An answer as a model writes it."""
    told = [
        {
            "lines": [line_with(words, request) for words in each["words"]],
            "form": each["form"],
            "text": each["text"],
        }
        for each in statements
    ]
    reply = {"status": status, "statements": told, "missing": list(missing)}
    return json.dumps(reply, ensure_ascii=False)


def verdicts(request, support="supported", dropped=False):
    """A verdict on each statement of a call."""
    count = request["messages"][-1]["content"].count("Its lines:")
    given = [
        {"n": n, "support": support, "condition_dropped": dropped} for n in range(1, count + 1)
    ]
    return json.dumps({"verdicts": given})


class Stack:
    """A turn through the whole product, with a scripted model at the other end of the wire."""

    def __init__(self, endpoint: ScriptedEndpoint) -> None:
        self.endpoint = endpoint
        self.events: list[object] = []

    def play(self, *statements, **replies):
        """Have a model write these statements, and say what else it is told to: a text, a line, or
        a function of the request, by the purpose of the call."""
        shape = {key: replies.pop(key) for key in ("status", "missing") if key in replies}
        replies = {
            "answer": lambda request: written(request, *statements, **shape),
            "verdict": verdicts,
        } | replies

        def reply(request):
            wanted = replies.get(purpose_of(request), "nothing")
            if isinstance(wanted, list):
                wanted = wanted.pop(0)
            found = wanted(request) if isinstance(wanted, Callable) else wanted
            return found if isinstance(found, Line) else Line(found)

        self.endpoint.beside.clear()
        self.endpoint.play(reply)

    def asked(self, purpose="answer"):
        """The requests of a purpose."""
        return [each for each in self.endpoint.requests if purpose_of(each) == purpose]

    def ask(self, question=QUESTION, **fields):
        self.events = []
        answered = services.take_turn(Turn(question, **fields), emit=self.events.append)
        self.answered = answered
        self.trace = {record.stage: record for record in answered.trace}
        return answered.context

    @property
    def seen(self) -> str:
        """What the patient has on the screen when the last piece has come."""
        return "".join(event.text for event in self.events if isinstance(event, Token))

    @property
    def fates(self):
        return [each["became"] for each in self.trace["generation"].detail["statements"]]


def purpose_of(request):
    shape = request.get("response_format", {}).get("json_schema", {})
    return shape.get("name", "text")


@pytest.fixture
def stack(hospital_with_doses, db, settings):
    with played_in(hospital_with_doses, settings) as stack:
        yield stack


@contextmanager
def played_in(hospital, settings):
    """Yield a hospital's turns beside a scripted model."""
    with scripted_endpoint() as endpoint, serving(hospital):
        settings.LLM = llm_at(endpoint)
        # A slow machine is no slow endpoint; what is not about it is read by code.
        settings.MODEL_CLASSIFY_SECONDS = 30
        endpoint.beside["tiny-standard"] = lambda request: Line("The model classifies nothing.")
        # The first turn of a process loads what it needs.
        settings.MODEL_SECONDS = 60
        yield Stack(endpoint)
