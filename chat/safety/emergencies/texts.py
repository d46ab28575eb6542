"""Texts of an alarm: those of its situations, with the desk to call and its number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chat.phrases import Phrases
from chat.safety.emergencies.alarm import Alarm, Situation, Strength
from chat.tools import Tools
from taxonomy.resolvers import resolver_index
from taxonomy.snapshot import Snapshot

#: Prefixes of the full and the one-line texts.
FULL, LINE = "alarm_", "notice_"


def warning_of(alarm: Alarm, languages: Sequence[str], tools: Tools) -> str:
    """Return the warning above an answer, in each of these languages."""
    return "".join(f"{text_of(alarm, tools, code)}\n\n" for code in languages)


def alarm_detail(alarm: Alarm) -> dict[str, object]:
    """Return the alarm for the trace."""
    if not alarm:
        return {}
    return {
        "alarm": str(alarm.danger),
        "strength": str(alarm.strength),
        "situations": [each.kind for each in alarm.situations],
        "phrase": alarm.phrase,
        "chance": alarm.chance,
    }


def text_of(alarm: Alarm, tools: Tools, language: str) -> str:
    """Return the text of an alarm in a language: one line, or its situations in full."""

    def desk(situation: Situation) -> dict[str, str]:
        return desk_of(situation, tools.snapshot, tools.phrases, language)

    if alarm.strength is Strength.LINE:
        first = alarm.situations[0]
        return tools.phrases.say(LINE + first.text, language, **desk(first))
    texts = (full_text(each, tools.phrases, desk(each), language) for each in alarm.situations)
    return "\n\n".join(texts)


def full_text(
    situation: Situation, phrases: Phrases, desk: Mapping[str, str], language: str
) -> str:
    """Return the full text of a situation in a language."""
    return phrases.say(FULL + situation.text, language, **desk)


def desk_of(
    situation: Situation, snapshot: Snapshot, phrases: Phrases, language: str
) -> dict[str, str]:
    """Return the desk to call: that of the situation's row, else its department, else the
    hospital."""
    profile = snapshot.profile
    if situation.phone:
        desk = situation.desk or profile.short_name
        return {"desk": desk, "desk_phone": situation.phone}
    departments = snapshot.derived(resolver_index).specialists
    found = (departments.get(name) for name in situation.specialties)
    department = next((each for each in found if each and each.get("phone")), None)
    if department is None:
        return {"desk": profile.short_name, "desk_phone": profile.phone}
    name = phrases.name(department, language)
    return {"desk": name, "desk_phone": str(department.get("phone"))}
