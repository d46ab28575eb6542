"""A wrong telephone number went live; going back has to give the very answers of before."""

from chat import services
from chat.turn import Turn
from taxonomy.models import Department
from taxonomy.publishing.going_live import activate
from taxonomy.publishing.live import forget_snapshots, live_snapshot
from taxonomy.publishing.versions import live_version
from tests.taxonomy.releases import approver, publish_draft

QUESTIONS = (
    "Wat is het telefoonnummer van Longziekten?",
    "Welke artsen werken bij Longziekten?",
    "Quel service traite l’asthme ?",
    "Wat zijn de bezoekuren op B3?",
)


def answers():
    forget_snapshots()
    return [services.take_turn(Turn(question)).context.answer for question in QUESTIONS]


def test_after_going_back_every_answer_is_as_before(mini):
    first, before = live_version(), answers()
    department = Department.objects.get(name="Longziekten")
    department.phone = "089 99 99 99"
    department.save()
    publish_draft(mini)
    wrong = answers()

    activate(first, by=approver(mini), why="Fout nummer")

    assert "089 99 99 99" in wrong[0]
    assert answers() == before
    assert live_snapshot().version == first.number
