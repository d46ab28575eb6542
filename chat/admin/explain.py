"""The page *Explain a question*: a stored answer, or answers made now, live and on the draft.

Each answer has its sources, stages and candidates, and what was understood of the question.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.admin.situations import heard_in
from chat.admin.trace import TrialAnswer, compare
from chat.behaviours import Channel, Mode
from chat.channels.protocol import key_of
from chat.models import Message
from chat.services import history_of, tried
from chat.turn import Exchange, Turn
from chat.wiring import explained
from taxonomy.publishing.live import answering_from, draft_snapshot, live_snapshot
from taxonomy.publishing.snapshot import Snapshot
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
URL_NAME = "chat_explain"


def read_moment(text: str) -> datetime | None:
    """Parse a date and time as the commands do; None if empty."""
    try:
        return moment_of(text) if text else None
    except BadInput as error:
        raise forms.ValidationError(
            _("This is no date and time; write it as %(form)s."), params={"form": FORM}
        ) from error


class MomentField(forms.CharField):
    def to_python(self, value: Any) -> Any:
        return read_moment(super().to_python(value))


THEN, LIVE, DRAFT, BOTH = "then", "live", "draft", "both"
CHOICES = {LIVE: _("Live now"), DRAFT: _("The draft"), BOTH: _("Both, side by side")}
TITLES = {THEN: _("As answered then"), **CHOICES}
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
        help_text=_("The draft is all that was edited and not published yet."),
    )
    at = MomentField(
        label=_("Asked at"),
        required=False,
        help_text=_("Date and time in the hospital, such as 2026-12-24T21:30. Empty is now."),
    )


class ExplainAdmin(HospitalAdmin):
    """Rows used to understand questions, with the page that explains a question."""

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.explain_view)
        return [path("explain/", page, name=URL_NAME), *super().get_urls()]

    def explain_view(self, request: HttpRequest) -> HttpResponse:
        """Show a stored answer, or ask the live version, the draft or both; nothing is stored."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        past = _past(request)
        earlier = history_of(past.conversation, before=past) if past else ()
        initial = as_asked(past) if past else request.GET.dict()
        said = {name: storable(text) for name, text in request.POST.items()}
        form = QuestionForm(said or None, initial=initial)
        back = request.GET.get("next", "")
        context = self.admin_site.each_context(request) | {
            "title": gettext("Explain a question"),
            "opts": self.opts,
            "form": form,
            "past": past,
            "earlier": earlier,
            "back": back if url_has_allowed_host_and_scheme(back, None) else "",
        }
        answers = [as_answered(past)] if past else []
        if form.is_valid():
            try:
                answers += asked(past, earlier, **form.cleaned_data)
            except Full:
                form.add_error(None, gettext("Patients are being answered; ask again in a moment."))
        if answers:
            context |= {"answers": answers, **compare(answers)}
        return TemplateResponse(request, "admin/chat/explain.html", context)


def _past(request: HttpRequest) -> Message | None:
    """Return the stored turn to explain, if the user may read patients' questions."""
    if "message" not in request.GET:
        return None
    if not request.user.has_perm("chat.view_message"):
        raise PermissionDenied
    rows = Message.objects.select_related("conversation")
    return get_object_or_404(rows, pk=key_of(request.GET["message"]))


def as_asked(past: Message) -> dict[str, str]:
    """Return form values that ask a stored turn again, live and on the draft."""
    return {"question": past.question, "language": past.conversation.language, "of": BOTH}


def as_answered(past: Message) -> TrialAnswer:
    """Return the stored answer with its trace."""
    made = TrialAnswer(THEN, TITLES[THEN])
    if past.state == Message.State.FINISHED:
        made.show(past)
    return made


def _curated(told: dict[str, Any]) -> list[tuple[Any, str]]:
    """Return which curated answer would be given, and which came nearest."""
    near = [
        f"{each['key']} · {each['chance']:.2f} · “{each['example']}”"
        + (f" · {gettext('stands in the way')}: {each['against']}" if each["against"] else "")
        for each in told.get("near", ())
    ]
    passed = near[1:2] if told.get("curated") else near[:1]
    given = near[0] if told.get("curated") else ""
    return [(_("Curated answer"), given), (_("Curated answer passed over"), "".join(passed))]


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
        # The draft may hold anything: the page says why it cannot be answered from.
        logger.exception("No answer from what is %s", name)
        made.failure = " ".join(str(error).split())[:LONGEST_REASON]
    return made


def _explained(turn: Turn, snapshot: Snapshot) -> dict[str, Any]:
    found = explained(turn, snapshot)
    why = found["why"]
    return {
        "found": found,
        "situations": list(heard_in(found)),
        "checks": [
            (_("Attack"), found["attack"]),
            (_("Personal data taken out"), ", ".join(found["redacted"])),
            (_("Decision of staff"), found["intervention"]),
            *_curated(found["curated"]),
            (_("Fact that answers"), found["fact"]),
        ],
        "scores": list(why.get("scores", {}).items()),
        "examples": why.get("examples", ()),
    }
