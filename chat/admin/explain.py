"""The page *Explain a question*: a stored answer, or answers made now, live and on the draft.

Each answer has its sources, stages and candidates, and what was understood of the question.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from chat.admin.trace import TrialAnswer, differing
from chat.behaviours import Channel, Mode
from chat.channels.protocol import key_of
from chat.models import Message
from chat.models.names import ADVICE, EMERGENCIES, name_in
from chat.safety.advice import PHRASE
from chat.services import history_of, tried
from chat.turn import Exchange, Turn
from chat.wiring import explained
from retrieval.intents import Intent
from taxonomy.facts import needs
from taxonomy.publishing.live import answering_from, draft_snapshot, live_snapshot
from taxonomy.snapshot import Snapshot
from zol.backoffice.base import HospitalAdmin
from zol.clock import FORM, moment_of
from zol.errors import BadInput, ExpectedError
from zol.languages import Language
from zol.runtime.bridge import Full, turn_here
from zol.text import storable

logger = logging.getLogger(__name__)
#: Longest question of a visitor.
LONGEST = 1_000
#: Longest reason for a missing answer.
LONGEST_REASON = 200


def read_moment(text: str) -> datetime | None:
    """Parse a date and time as the commands do; None if empty."""
    try:
        return moment_of(text) if text else None
    except BadInput as error:
        raise forms.ValidationError(
            _("This is not a date and time: write it like %(form)s."), params={"form": FORM}
        ) from error


class MomentField(forms.CharField):
    def to_python(self, value: Any) -> Any:
        return read_moment(super().to_python(value))


THEN, LIVE, DRAFT, BOTH = "then", "live", "draft", "both"
CHOICES = {LIVE: _("Live now"), DRAFT: _("The draft"), BOTH: _("Both, side by side")}
TITLES = {THEN: _("The version that answered then"), **CHOICES}
SNAPSHOTS = {LIVE: live_snapshot, DRAFT: draft_snapshot}


class QuestionForm(forms.Form):
    question = forms.CharField(
        label=_("Question"), max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 2, "autofocus": True}),
        help_text=_("As a visitor would write it, in any of the eight languages."),
    )  # fmt: skip
    language = forms.ChoiceField(
        label=_("Language of the page"), choices=Language.choices, initial=Language.NL
    )
    of = forms.ChoiceField(
        label=_("Who answers"),
        choices=CHOICES,
        initial=LIVE,
        widget=forms.RadioSelect,
        help_text=_("The draft contains every edit that is not published yet."),
    )
    at = MomentField(
        label=_("Asked at"),
        required=False,
        help_text=_(
            "Date and time at the hospital, such as 2026-12-24T21:30. If empty, the current time."
        ),
    )


class ExplainAdmin(HospitalAdmin):
    """Admin of a list of rows, with the page *Explain a question* beside it."""

    pages = {"explain": "explain/"}

    def explain_view(self, request: HttpRequest) -> HttpResponse:
        """Show a stored answer, or ask the live version, the draft or both; nothing is stored."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        past = _past(request)
        earlier = history_of(past.conversation, before=past) if past else ()
        initial = request.GET.dict()
        if past:
            language = past.conversation.language
            initial = {"question": past.question, "language": language, "of": BOTH}
        posted = {name: storable(text) for name, text in request.POST.items()}
        form = QuestionForm(posted or None, initial=initial)
        context = self.admin_site.each_context(request) | {
            "title": gettext("Explain a question"),
            "opts": self.opts,
            "form": form,
            "past": past,
            "earlier": earlier,
        }
        answers = [TrialAnswer(THEN, TITLES[THEN])] if past else []
        if past and past.state == Message.State.FINISHED:
            answers[0].show(past)
        if form.is_valid():
            try:
                answers += asked(past, earlier, **form.cleaned_data)
            except Full:
                form.add_error(
                    None, gettext("The server is busy answering patients: ask again in a moment.")
                )
        if answers:
            context |= {"answers": answers, "differs": differing(answers)}
        return TemplateResponse(request, "admin/chat/explain.html", context)


def _past(request: HttpRequest) -> Message | None:
    """Return the stored turn to explain, if the user may read patients' questions."""
    if "message" not in request.GET:
        return None
    if not request.user.has_perm("chat.view_message"):
        raise PermissionDenied
    rows = Message.objects.select_related("conversation")
    return get_object_or_404(rows, pk=key_of(request.GET["message"]))


def _curated(found: dict[str, Any]) -> list[tuple[Any, str]]:
    """Return the curated answer that is given and the best one that is not, as labelled lines."""
    near = [
        f"{each['key']} · {each['chance']:.2f} · “{each['example']}”"
        + (
            f" · {gettext('not used because the question also says')}: {each['against']}"
            if each["against"]
            else ""
        )
        for each in found.get("near", ())
    ]
    passed = near[1:2] if found.get("curated") else near[:1]
    given = near[0] if found.get("curated") else ""
    return [(_("Curated answer"), given), (_("Nearest curated answer, not used"), "".join(passed))]


def asked(
    past: Message | None,
    earlier: tuple[Exchange, ...],
    question: str,
    language: str,
    at: datetime | None,
    of: str,
) -> list[TrialAnswer]:
    """Ask the live version, the draft or both; a stored turn with its mode, channel and history."""
    turn = Turn(question, language, earlier, at=at)
    if past:
        channel = Channel(past.conversation.channel)
        turn = replace(turn, mode=Mode(past.mode), channel=channel)
    with turn_here():
        return [_tried(name, turn) for name in (LIVE, DRAFT) if of in (name, BOTH)]


def _tried(name: str, turn: Turn) -> TrialAnswer:
    made = TrialAnswer(name, TITLES[name])
    try:
        snapshot = SNAPSHOTS[name]()
        with answering_from(snapshot):
            made.explained = _explained(turn, snapshot)
            made.show(tried(turn))
    except ExpectedError as reason:
        made.failure = str(reason)
    except Exception as error:
        # A draft may contain any mistake: show the error in place of an answer.
        logger.exception("No answer from what is %s", name)
        made.failure = " ".join(str(error).split())[:LONGEST_REASON]
    return made


def _explained(turn: Turn, snapshot: Snapshot) -> dict[str, Any]:
    found = explained(turn, snapshot)
    why = found["why"]
    return {
        "found": found,
        "situations": list(_situations(found)),
        "checks": [
            (_("Attack"), found["attack"]),
            (_("Personal data removed"), ", ".join(found["redacted"])),
            (_("Intervention by staff"), found["intervention"]),
            *_curated(found["curated"]),
            (_("Fact that was the answer"), found["fact"]),
        ],
        "scores": list(why.get("scores", {}).items()),
        "examples": why.get("examples", ()),
    }


class SituationMatch(NamedTuple):
    """A situation recognised in a question, with the method and its probability."""

    sort: str
    name: str
    by: str
    chance: float | None
    is_answered: bool


def _situations(found: dict[str, Any]) -> Iterator[SituationMatch]:
    alarm = found["why"]["alarm"]
    for kind in alarm.get("situations", ()):
        phrase, name = alarm["phrase"], str(name_in(EMERGENCIES, kind))
        by = gettext("the phrase “%s”") % phrase if phrase else gettext("the trained model")
        is_answer = kind == found["red_flag"]
        yield SituationMatch(gettext("emergency"), name, by, alarm["chance"], is_answer)
    if found["intent"] == Intent.OUT_OF_SCOPE_MEDICAL_ADVICE:
        phrase, name = found["advice_words"], str(ADVICE[PHRASE])
        by = gettext("the phrase “%s”") % phrase if phrase else gettext("the trained model")
        yield SituationMatch(gettext("medical advice"), name, by, found["advice"], is_answered=True)
    for key, chance in found["needs"]:
        name = needs.name(key, (get_language() or "en")[:2])
        yield SituationMatch(
            gettext("kind of question"),
            name,
            gettext("the trained model"),
            chance,
            is_answered=False,
        )
