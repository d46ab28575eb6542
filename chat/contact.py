"""Whom to call and where to go: the card of the department that an answer sends somebody to."""

from __future__ import annotations

from typing import Any

from chat.behaviours import Behaviour
from chat.lookup.asked import asked_of
from chat.turn import Context
from taxonomy.facts.days import split_hours
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing

#: Answers that send nobody to a department.
WITHOUT = (Behaviour.EMERGENCY, Behaviour.BLOCK_ATTACK, Behaviour.REFUSE_OTHER_HOSPITAL)


def contact_of(ctx: Context, snapshot: Snapshot) -> dict[str, Any]:
    """Return the card of the department that somebody is sent to; empty when there is none.

    Its labels are the page's; the hours are as the hospital writes them.
    """
    if ctx.cached or ctx.contact:
        return dict(ctx.contact)
    if ctx.behaviour in WITHOUT:
        return {}
    asked = asked_of(ctx.understanding, snapshot)
    department = next(iter((*ctx.routed, *asked.departments)), None)
    if department is None:
        return {}
    campuses = snapshot.vocabulary.campuses_of(department)
    return {
        "name": department.name,
        "phone": department.get("phone")
        or next(filter(None, (c.get("phone") for c in campuses)), ""),
        "email": department.get("email"),
        "hours": split_hours(department.get("hours"), asked.sort_of).opening,
        "places": [{"name": campus.name, "address": address_of(campus)} for campus in campuses],
        "url": department.url,
    }


def address_of(campus: Thing) -> str:
    town = f"{campus.get('postcode')} {campus.get('city')}".strip()
    return ", ".join(part for part in (campus.get("street"), town) if part)
