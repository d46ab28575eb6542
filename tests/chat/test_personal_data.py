"""Personal data in real turns over every channel is found nowhere afterwards.

Not in any column of any table, not in Redis (cache, counters, queues), not in what was handed to
the workers, not in a log line at any level, and not in what was sent to a model.
"""

import json
import logging
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest
import redis
from asgiref.sync import sync_to_async
from celery.signals import before_task_publish
from django.conf import settings as product
from django.db import connections

from chat.models import Conversation, Message
from tests.chat.asgi import asked, called, connected, told
from tests.scripted import Line, llm_at, scripted_endpoint
from zol.tenancy import serving

pytestmark = pytest.mark.usefixtures("application")
#: A question, and what must be nowhere afterwards. All of it is made up, and written as no
#: figure of a trace is.
PLANTED = (
    ("nl", "ik ben Wout Vandersypen, 85.07.30-033.28, wat zijn de bezoekuren?",
     ("Vandersypen", "85.07.30-033.28")),
    ("nl", "patiëntnummer 774-19-360: kan ik mijn factuur betalen met BE68 5390 0754 7034",
     ("774-19-360", "BE68 5390")),
    ("nl", "op welke kamer ligt Jozef Vanwijnsberghe? Bel mij op 0477 / 19 38 57",
     ("Vanwijnsberghe", "19 38 57")),
    ("nl", "Luc Kiekens van de receptie heeft mij bestolen, waar kan ik een klacht indienen",
     ("Kiekens",)),
    ("en", "my name is Harriet Blenkinsop, born on 12 March 1961, where can I park?",
     ("Blenkinsop", "12 March 1961")),
    ("en", "mail me the visiting hours at h.blenkinsop@mailbox.example or 07700 900187",
     ("blenkinsop", "07700 900187")),
    ("fr", "je m'appelle Solange Tricoteux, née le 03/04/1957, heures de visite ?",
     ("Tricoteux", "03/04/1957")),
    ("de", "ich heiße Gundula Haferkamp, geboren am 14.11.1949, Besuchszeiten?",
     ("Haferkamp", "14.11.1949")),
    ("tr", "benim adım Gülsüm Karabıyıkoğlu, doğum tarihim 21.09.1970, ziyaret saatleri",
     ("Karabıyıkoğlu", "21.09.1970")),
    ("tr", "TC kimlik 10000000146, telefonum 0532 918 27 36, nereye park edebilirim",
     ("10000000146", "918 27 36")),
    ("it", "mi chiamo Ermenegilda Sbrocchi, nata il 2/8/1944, orari di visita",
     ("Sbrocchi", "2/8/1944")),
    ("it", "codice fiscale RSSMRA85T10A562S, cellulare 333 9182736, dove parcheggio",
     ("RSSMRA85T10A562S", "333 9182736")),
    ("ro", "mă numesc Smaranda Ghinescu, născută la 5 mai 1952, program de vizită",
     ("Ghinescu", "5 mai 1952")),
    ("el", "με λένε Πολυξένη Καραμπουρνιώτη, γεννήθηκα 17/06/1958, ώρες επισκεπτηρίου",
     ("Καραμπουρνιώτη", "17/06/1958")),
)  # fmt: skip
SECRETS = tuple({secret for _, _, secrets in PLANTED for secret in secrets})
#: What is no one's: it must be found, or the search would prove nothing.
CANARY = "[telefoon]"
#: Types of columns that hold no words.
WORDLESS = (
    "vector", "halfvec", "sparsevec", "int2", "int4", "int8", "float4", "float8", "numeric",
    "bool", "timestamptz", "timestamp", "date", "interval", "uuid", "oid",
)  # fmt: skip


def columns() -> dict[str, list[str]]:
    """Return the columns that can hold words, of every table of every schema."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT c.table_schema, c.table_name, c.column_name FROM information_schema.columns c "
            "JOIN information_schema.tables t USING (table_schema, table_name) "
            "WHERE t.table_type = 'BASE TABLE' AND c.udt_name != ALL(%s) "
            "AND c.table_schema NOT IN ('pg_catalog', 'information_schema')",
            [list(WORDLESS)],
        )
        found: dict[str, list[str]] = {}
        for schema, table, column in cursor.fetchall():
            found.setdefault(f'"{schema}"."{table}"', []).append(f'"{column}"')
    return found


def in_the_database(*wanted: str) -> list[tuple[str, str]]:
    """Return the texts that stand in a table, and in which one, capitals aside."""
    found = []
    with connections["owner"].cursor() as cursor:
        for table, names in columns().items():
            held = " || ' ' || ".join(f"coalesce({name}::text, '')" for name in names)
            cursor.execute(
                f"WITH rows AS (SELECT lower({held}) AS held FROM {table}) "
                "SELECT said FROM unnest(%s::text[]) said WHERE EXISTS "
                "(SELECT 1 FROM rows WHERE strpos(held, lower(said)) > 0)",
                [list(wanted)],
            )
            found += [(said, table) for (said,) in cursor.fetchall()]
    return found


def in_redis(wanted: str) -> list[str]:
    """Return the keys of Redis that hold a text, in their name or in what they hold."""
    client = redis.Redis.from_url(product.REDIS_URL)
    needle = wanted.casefold().encode()
    return [
        str(key)
        for key in client.scan_iter(count=1_000)
        if needle in (key + held(client, key)).lower()
    ]


def held(client: redis.Redis, key: bytes) -> bytes:
    """Return all that Redis holds under a key, as it would be written to disk."""
    readers = {
        b"string": lambda: client.get(key) or b"",
        b"list": lambda: b" ".join(client.lrange(key, 0, -1)),
        b"set": lambda: b" ".join(client.smembers(key)),
        b"zset": lambda: b" ".join(client.zrange(key, 0, -1)),
        b"hash": lambda: b" ".join(part for pair in client.hgetall(key).items() for part in pair),
    }
    return readers.get(client.type(key), lambda: client.dump(key) or b"")()


@contextmanager
def payloads():
    """Collect what is handed to the workers meanwhile."""
    seen: list[str] = []

    def note(body=None, headers=None, **_):
        seen.append(f"{headers!r} {body!r}")

    before_task_publish.connect(note, weak=False)
    try:
        yield seen
    finally:
        before_task_publish.disconnect(note)


async def socket_says(*asks):
    """Ask over one socket, each once the one before was answered; return what came."""
    socket = await connected()
    came = [frame for ask in asks for frame in await asked(socket, **ask)]
    await socket.disconnect()
    return came


async def said_everywhere(planted=PLANTED) -> None:
    """Ask every planted question over the socket, as JSON, as a stream and as a page."""
    for language, question, _secrets in planted:
        ask = {"question": question, "language": language}
        await socket_says(ask, {**ask, "question": f"en de kosten? {question}"})
        for accepted in ("application/json", "text/event-stream"):
            answer = await posted(ask, accepted)
            assert answer["status"] == 200, answer["body"]
            assert b"citations" in answer["body"]
        page = await called("GET", "/zoek?" + urlencode({"q": question, "language": language}))
        assert page["status"] == 200


async def posted(asked, accepted="application/json"):
    headers = [(b"content-type", b"application/json"), (b"accept", accepted.encode())]
    return await called("POST", "/api/v1/chat", json.dumps(asked).encode(), headers)


async def rated_with(secret: str) -> None:
    """Put personal data where none is expected: in the reason, the id and the categories."""
    socket = await connected()
    ask = {"id": secret, "language": secret}
    message = (await asked(socket, "Waar kan ik parkeren?", **ask))[0]["message"]
    await told(socket, "rated", type="feedback", message=message, good=False, reason=secret)
    await socket.disconnect()
    for more in ({"categories": [secret]}, {"language": secret}, {"mode": secret}):
        await posted({"question": "Waar kan ik parkeren?", **more})


def nowhere(records: list[str], handed: list[str]) -> None:
    """Assert that no secret stands anywhere, and that what may stand does."""
    try:
        assert_nowhere(records, handed)
    finally:  # This runs in a thread of its own, whose connections nobody else closes.
        connections.close_all()


def assert_nowhere(records: list[str], handed: list[str]) -> None:
    assert in_the_database(CANARY), "the search finds what is there"
    said = "\n".join((*records, *handed)).casefold()
    assert in_the_database(*SECRETS) == []
    for secret in SECRETS:
        assert in_redis(secret) == [], secret
        assert secret.casefold() not in said, secret


async def test_nothing_personal_is_found_anywhere_afterwards(mini, caplog):
    caplog.set_level(logging.DEBUG)
    with payloads() as handed:
        await said_everywhere()
        await rated_with("Vandersypen")

    await sync_to_async(nowhere)([record.getMessage() for record in caplog.records], handed)


async def test_a_model_is_sent_nothing_personal_either(mini, caplog, settings):
    caplog.set_level(logging.DEBUG)
    with scripted_endpoint() as endpoint, payloads() as handed:
        tiers = ("fast", "standard", "primary", "escalation", "judge", "guardrail")
        settings.LLM = llm_at(endpoint, *tiers)
        endpoint.play(lambda request: Line("Dat staat in de bronnen [1]."))
        await said_everywhere(PLANTED[1::2])
        sent = json.dumps(endpoint.requests, ensure_ascii=False)

    assert len(endpoint.requests) > len(PLANTED) // 2
    records = [record.getMessage() for record in caplog.records]
    await sync_to_async(nowhere)([*records, sent], handed)


def test_the_search_finds_a_secret_that_is_kept(mini):
    with serving(mini):
        conversation = Conversation.objects.create(hospital=mini)
        Message.objects.create(
            hospital=mini, conversation=conversation, trace={"note": "Καραμπουρνιώτη"}
        )
    client = redis.Redis.from_url(product.REDIS_URL)
    client.rpush("test-of-a-queue", "Gülsüm")
    try:
        assert in_the_database("καραμπουρνιώτη") == [("καραμπουρνιώτη", '"public"."chat_message"')]
        assert in_redis("Gülsüm") != []
    finally:
        client.delete("test-of-a-queue")
        with serving(mini):
            conversation.delete()
