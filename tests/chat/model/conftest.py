"""The small hospital with a page of doses, and a model that says what a test tells it to."""

from __future__ import annotations

import shutil

import pytest
from django.db import connections

from chat import services
from chat.turn import Retraction, Token, Turn
from evaluation.packs.read import read_pack
from evaluation.packs.write import load_pack
from tests.answering import ingest
from tests.databases import databases
from tests.packs import MINI
from tests.scripted import ScriptedEndpoint, scripted_endpoint
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
QUESTION = "Welke informatie is er over pijnstilling na een ingreep?"


@pytest.fixture(scope="module")
def hospital_with_doses(committed, django_db_blocker, tmp_path_factory):
    pack = tmp_path_factory.mktemp("pack") / "mini"
    shutil.copytree(MINI, pack)
    (pack / "pages" / "zorg" / "pijnstilling.html").write_text(DOSES, encoding="utf-8")
    index = pack / "pages" / "index.csv"
    row = dict.fromkeys(index.read_text("utf-8").splitlines()[0].split(","), "") | {
        "path": "zorg/pijnstilling.html",
        "url": "https://www.azm-mini.example/zorg/pijnstilling",
        "title": "Pijnstilling na een ingreep",
        "category": "Treatment",
        "language": "nl",
        "updated_at": "2026-01-10",
        "authority": "1.0",
        "url_tier": "1",
    }
    index.write_text(f"{index.read_text('utf-8').rstrip()}\n{','.join(row.values())}\n", "utf-8")
    with django_db_blocker.unblock():
        databases.renew()
        hospital, _changes = load_pack(read_pack(pack))
        ingest(hospital, path="zorg/pijnstilling.html")
        connections.close_all()
    yield hospital
    databases.spoil()


class Stack:
    """A turn through the whole product, with a scripted model at the other end of the wire."""

    def __init__(self, endpoint: ScriptedEndpoint) -> None:
        self.endpoint = endpoint
        self.events: list[object] = []

    def ask(self, question=QUESTION, **fields):
        self.events = []
        answered = services.take_turn(Turn(question, **fields), emit=self.events.append)
        self.trace = {record.stage: record for record in answered.trace}
        return answered.context

    @property
    def seen(self) -> str:
        """What the patient has on the screen when the last piece has come."""
        text = ""
        for event in self.events:
            if isinstance(event, Token):
                text += event.text
            elif isinstance(event, Retraction):
                text = ""
        return text

    @property
    def ever_seen(self) -> str:
        """Everything that stood on the screen at any moment."""
        return "".join(event.text for event in self.events if isinstance(event, Token))

    @property
    def removed(self):
        return self.trace["generate"].detail.get("removed", [])


@pytest.fixture
def stack(hospital_with_doses, db, settings):
    with scripted_endpoint() as endpoint, serving(hospital_with_doses):
        settings.LLM = {
            "endpoints": [{"name": "primary", "api_key": "", "base_url": endpoint.url}],
            "tiers": {
                tier: {"model": f"tiny-{tier}", "temperature": 0.2}
                for tier in ("fast", "standard", "primary", "escalation")
            },
        }
        yield Stack(endpoint)
