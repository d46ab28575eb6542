"""Curated answers of the small hospital, for tests."""

from typing import Any

from chat.models import CuratedAnswer
from taxonomy.models import Entity
from zol.models import Hospital

PAGE = "https://www.azm-mini.example/praktisch/bezoek"
EXAMPLES = {
    "nl": [
        "bezoekuren", "tot hoe laat mag ik op bezoek komen?", "wanneer is het bezoekuur",
        "hoe laat kan ik mijn moeder bezoeken in het ziekenhuis?",
    ],
    "en": [
        "visiting hours", "when can I visit a patient?", "what are the visiting times",
        "until what time are visitors allowed?",
    ],
    "tr": [
        "ziyaret saatleri", "hastayı ne zaman ziyaret edebilirim?", "ziyaret saati kaçta",
        "akşam kaça kadar ziyaretçi alınıyor?",
    ],
}  # fmt: skip
ANSWER = {
    "nl": "U kunt dagelijks op bezoek 14.00–20.00 uur.",
    "en": "You can visit every day 14:00–20:00.",
    "tr": "Her gün 14:00–20:00 ziyaret edebilirsiniz.",
}


def curated(hospital: Hospital, **fields: Any) -> CuratedAnswer:
    """Return a curated answer that staff would be allowed to save."""
    usual = {
        "key": "visiting-hours", "need": "visiting_hours", "examples": EXAMPLES,
        "answer": ANSWER, "sources": [PAGE],
    }  # fmt: skip
    row = CuratedAnswer(hospital=hospital, **usual | fields)
    row.full_clean(exclude=["hospital"])
    row.save()
    return row


def department(name: str) -> Entity:
    return Entity.objects.get(kind="department", name=name)
