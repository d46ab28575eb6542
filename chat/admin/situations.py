"""The page *Situations*, a document to print and sign.

It lists emergencies, requests for advice and needs, each with its answer, example phrases and
frequency.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import Count, Func, Q, TextField
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language, gettext

from chat.behaviours import Behaviour, Certainty
from chat.channels.frames import answer_of
from chat.models import (
    AdvicePhrase,
    CuratedAnswer,
    EmergencySituation,
    IntentExample,
    Message,
    RedFlagPhrase,
)
from chat.models.conversations import STRENGTHS
from chat.models.names import ADVICE, EMERGENCIES, TEXTS, name_in
from chat.phrases import phrases_of
from chat.safety.advice import PHRASE
from chat.safety.emergencies.alarm import Danger, Strength, situations_of
from chat.safety.emergencies.phrases import rows_in_force
from chat.safety.emergencies.texts import FULL
from retrieval.intents import Intent
from taxonomy.facts import needs
from taxonomy.models import Fact
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.snapshot import Snapshot
from zol.backoffice.base import listed
from zol.errors import NotPublished
from zol.languages import LANGUAGES, Language

#: Days over which matches are counted, and examples shown per situation.
DAYS, SHOWN = 30, 4
ADVICE_TEXT = "refuse_medical"


@dataclass(slots=True)
class Situation:
    """A situation or need, with its answer."""

    name: str
    #: Links to the admin of its rows.
    links: list[tuple[Any, str]]
    met: int = 0
    #: The name of the fixed text, or the answer itself.
    text: str = ""
    answer: Any = ""
    #: Examples by language.
    counts: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    @property
    def how_many(self) -> str:
        """Return the number of examples by language."""
        counted = (f"{code} {self.counts[code]}" for code in LANGUAGES if self.counts[code])
        return " · ".join(counted) or "–"


@dataclass(frozen=True, slots=True)
class SituationMatch:
    """A situation detected in a question: by which method, and how certain."""

    sort: str
    name: str
    by: str
    chance: float | None
    is_answered: bool


def page_of(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the page: all situations, with texts and phrases in one language."""
    asked = request.GET.get("examples", "")
    language = asked if asked in LANGUAGES else (get_language() or "en")[:2]
    since = timezone.now() - timedelta(days=DAYS)
    met = met_since(since)
    return {
        "title": gettext("Situations"),
        "days": DAYS,
        "shown": shown_since(since),
        "language": language,
        "languages": Language.choices(),
        "spoken": Language(language).label,
        "today": timezone.localdate(),
        "texts": _texts(language),
        "groups": [
            (gettext("Emergencies"), list(_emergencies(met, language))),
            (gettext("Requests for medical advice"), list(_advice(met, language))),
            (gettext("Needs"), list(_needs(met, language))),
        ],
    }


def met_since(moment: Any) -> Mapping[str, Counter[str]]:
    """Count answers by situation; an index by time finds the rows."""
    recent = Message.objects.filter(created_at__gte=moment)
    queries = {
        "situations[0]": ~Q(warning=Danger.NONE),
        "advice": Q(behaviour=Behaviour.REFUSE_MEDICAL),
        "need": Q(certainty=Certainty.FACT),
        "curated": Q(certainty=Certainty.CURATED),
    }
    met: dict[str, Counter[str]] = {}
    for name, query in queries.items():
        told = f"jsonb_path_query_first(%(expressions)s, '$.stages[*].detail.**.{name}') #>> '{{}}'"
        kind = Func("trace", template=told, output_field=TextField())
        rows = recent.filter(query).order_by().values(kind=kind).annotate(number=Count("pk"))
        met[name] = Counter({row["kind"] or "": row["number"] for row in rows})
    needed = dict(CuratedAnswer.objects.order_by().values_list("key", "need"))
    for key, number in met.pop("curated").items():
        met["need"][needed.get(key, "")] += number
    return met


def _texts(language: str) -> list[tuple[str, Any, Any]]:
    """Return fixed texts as code, name and HTML; none before the first publication."""
    try:
        snapshot = live_snapshot()
    except NotPublished:
        return []
    phrases, profile = phrases_of(snapshot), snapshot.profile
    desk = {"desk": profile.short_name, "desk_phone": profile.helpdesk_phone or profile.phone}
    situations = snapshot.derived(situations_of)
    kinds = dict.fromkeys((*(FULL + each.text for each in situations), ADVICE_TEXT))
    said = ((kind, phrases.say(kind, language, **desk)) for kind in kinds)
    return [(kind, TEXTS[kind], answer_of(text, language)) for kind, text in said]


def _emergencies(met: Mapping[str, Counter[str]], language: str) -> Iterator[Situation]:
    """Yield every alarm situation with all its phrases, which a clinician signs."""
    snapshot = _live_or_empty()
    told: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in rows_in_force(snapshot):
        told[str(row["kind"])].append((str(row["language"]), str(row["text"])))
    for each in snapshot.derived(situations_of):
        phrases = told[each.kind]
        yield Situation(
            str(name_in(EMERGENCIES, each.kind)),
            [
                (gettext("phrases"), listed(RedFlagPhrase, f"kind={each.kind}")),
                (gettext("desk"), listed(EmergencySituation, f"q={each.kind}")),
            ],
            met["situations[0]"][each.kind],
            FULL + each.text,
            counts=Counter(code for code, _text in phrases),
            examples=[text for code, text in phrases if code == language],
        )


def _live_or_empty() -> Snapshot:
    """Return the live version; before the first publication an empty one."""
    try:
        return live_snapshot()
    except NotPublished:
        return Snapshot(0, 0)


def shown_since(moment: Any) -> tuple[tuple[Any, int], ...]:
    """Count alarms by how they were shown: stop, text or line."""
    recent = Message.objects.filter(created_at__gte=moment).exclude(warned_by=Strength.NONE)
    counted = dict(recent.order_by().values_list("warned_by").annotate(number=Count("pk")))
    return tuple((name, counted.get(way, 0)) for way, name in STRENGTHS if way != Strength.NONE)


def _advice(met: Mapping[str, Counter[str]], language: str) -> Iterator[Situation]:
    """Yield the situation of requests for advice, with phrases and example questions."""
    phrases = AdvicePhrase.objects.filter(role=AdvicePhrase.Role.PHRASE)
    asked = IntentExample.objects.filter(intent=Intent.OUT_OF_SCOPE_MEDICAL_ADVICE)
    rows = [*asked.values_list("language", "text"), *phrases.values_list("language", "text")]
    query = f"intent={Intent.OUT_OF_SCOPE_MEDICAL_ADVICE}"
    yield Situation(
        str(ADVICE[PHRASE]),
        [
            (gettext("phrases"), listed(AdvicePhrase, f"role={AdvicePhrase.Role.PHRASE}")),
            (gettext("example questions"), listed(IntentExample, query)),
        ],
        met["advice"].total(),
        ADVICE_TEXT,
        counts=Counter(code for code, _text in rows),
        examples=[text.replace("*", "") for code, text in rows if code == language][:SHOWN],
    )


def _needs(met: Mapping[str, Counter[str]], language: str) -> Iterator[Situation]:
    facts = Counter(Fact.objects.order_by().values_list("need", flat=True))
    curated: dict[str, list[str]] = defaultdict(list)
    for need, answer in CuratedAnswer.objects.order_by("pk").values_list("need", "answer"):
        curated[need].append(answer.get(language) or "")
    for key in needs.keys():  # noqa: SIM118 (a function of the module)
        links = [(f"{gettext('facts')}: {facts[key]}", listed(Fact, f"need={key}")),
                 (f"{gettext('curated answers')}: {len(curated[key])}",
                  listed(CuratedAnswer, f"need__exact={key}"))]  # fmt: skip
        told = next(filter(None, curated[key]), "")
        yield Situation(
            need_name(key),
            links,
            met["need"][key],
            answer=answer_of(told, language) if told else "",
        )


def heard_in(found: Mapping[str, Any]) -> Iterator[SituationMatch]:
    """Yield the situations detected in a sentence, by phrases and networks."""
    alarm = found["why"]["alarm"]
    emergency, advice = gettext("emergency"), gettext("medical advice")
    for kind in alarm.get("situations", ()):
        phrase = alarm["phrase"]
        by = gettext("the phrase “%s”") % phrase if phrase else gettext("the network")
        name = str(name_in(EMERGENCIES, kind))
        yield SituationMatch(emergency, name, by, alarm["chance"], kind == found["red_flag"])
    if found["intent"] == Intent.OUT_OF_SCOPE_MEDICAL_ADVICE:
        said = found["advice_words"]
        by = gettext("the phrase “%s”") % said if said else gettext("learned")
        yield SituationMatch(advice, str(ADVICE[PHRASE]), by, found["advice"], is_answered=True)
    for key, chance in found["needs"]:
        yield SituationMatch(
            gettext("need"), need_name(key), gettext("learned"), chance, is_answered=False
        )


def need_name(key: str) -> str:
    """Return the name of a need in the user's language."""
    return needs.name(key, (get_language() or "en")[:2])
