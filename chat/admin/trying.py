"""A question tried out, live and on the draft: what is answered, and what speaks for that."""

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
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from chat.admin.trace import TrialAnswer, compare
from chat.behaviours import Channel, Mode
from chat.channels.protocol import key_of
from chat.explanation import tried, understood
from chat.models import Message
from chat.models.names import EMERGENCIES, name_in
from chat.question.off_topic import FROM
from chat.services import history_of
from chat.turn import Exchange, Turn
from taxonomy import needs
from taxonomy.live import answering_from, draft_snapshot, live_snapshot
from taxonomy.snapshot import Snapshot
from zol.admin_pages.base import HospitalAdmin
from zol.bridge import Full, turn_here
from zol.clock import FORM, moment_of
from zol.errors import BadInput, ExpectedError
from zol.languages import Language

logger = logging.getLogger(__name__)
#: What a visitor may write at most.
LONGEST = 1_000
#: Of why there is no answer.
LONGEST_REASON = 200
URL_NAME = "chat_try"


def read_moment(text: str) -> datetime | None:
    """Return a date and time as the commands take it; empty is none."""
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
SNAPSHOTS = {THEN: live_snapshot, LIVE: live_snapshot, DRAFT: draft_snapshot}


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


class TryingAdmin(HospitalAdmin):
    """Rows that questions are understood by, with a page on which one can be tried."""

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.try_view)
        return [path("try/", page, name=URL_NAME), *super().get_urls()]

    def try_view(self, request: HttpRequest) -> HttpResponse:
        """Show what is answered to a question, live and on the draft. Nothing of it is kept.

        A turn of a patient is asked again as soon as the page is shown.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        past = _past(request)
        form = QuestionForm(request.POST or as_asked(past), initial=request.GET.dict())
        earlier = history_of(past.conversation, before=past) if past else ()
        back = request.GET.get("next", "")
        context = self.admin_site.each_context(request) | {
            "title": gettext("Try a question"),
            "opts": self.opts,
            "form": form,
            "past": past,
            "earlier": earlier,
            "back": back if url_has_allowed_host_and_scheme(back, None) else "",
        }
        is_part = "part" in request.GET
        if past and request.method == "GET" and not is_part:
            context["later"] = f"?{request.GET.urlencode()}&part=1"
        elif form.is_valid():
            try:
                answers = asked(past, earlier, **form.cleaned_data)
                context |= {"answers": answers, **compare(answers)}
            except Full:
                form.add_error(None, gettext("Patients are being answered; ask again in a moment."))
        name = "_answers.html" if is_part else "try.html"
        return TemplateResponse(request, f"admin/chat/{name}", context)


def _past(request: HttpRequest) -> Message | None:
    """Return the turn that is asked again, of who may read what patients asked."""
    if "message" not in request.GET:
        return None
    if not request.user.has_perm("chat.view_message"):
        raise PermissionDenied
    rows = Message.objects.select_related("conversation")
    return get_object_or_404(rows, pk=key_of(request.GET["message"]))


def as_asked(past: Message | None) -> dict[str, str] | None:
    """Return what a form has in which a turn is asked again of both sides."""
    if past is None:
        return None
    return {"question": past.question, "language": past.conversation.language, "of": BOTH}


def _curated(told: dict[str, Any]) -> list[tuple[Any, str]]:
    """Say which curated answer would be given, and which one came nearest beside it."""
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
    """Ask what is live, the draft, or both; beside what was answered then."""
    turn = Turn(question, language, earlier, at=at)
    if past:
        channel = Channel(past.conversation.channel)
        turn = replace(turn, mode=Mode(past.mode), channel=channel)
    with turn_here():
        then = [_tried(THEN, turn, past)] if past else []
        return then + [_tried(name, turn) for name in (LIVE, DRAFT) if of in (name, BOTH)]


def _tried(name: str, turn: Turn, past: Message | None = None) -> TrialAnswer:
    made = TrialAnswer(name, TITLES[name])
    try:
        snapshot = SNAPSHOTS[name]()
        with answering_from(snapshot):
            if past is None:
                made.explained = _explained(turn, snapshot)
                made.show(tried(turn))
            elif past.state == Message.State.FINISHED:
                made.show(past)
    except ExpectedError as reason:
        made.failure = str(reason)
    except Exception as error:
        # Whatever staff have written so far: the page says what cannot be answered from.
        logger.exception("No answer from what is %s", name)
        made.failure = " ".join(str(error).split())[:LONGEST_REASON]
    return made


def need_name(key: str) -> str:
    """Return what a need is called in the reader's language."""
    return needs.name(key, (get_language() or "en")[:2])


def _explained(turn: Turn, snapshot: Snapshot) -> dict[str, Any]:
    found = understood(turn, snapshot)
    why = found["why"]
    return {
        "found": found,
        "checks": [
            (_("Emergency"), name_in(EMERGENCIES, found["red_flag"])),
            (_("Attack"), found["attack"]),
            (_("Medical advice"), found["advice"] or ""),
            (_("Personal data taken out"), ", ".join(found["redacted"])),
            (_("Decision of staff"), found["intervention"]),
            *_curated(found["curated"]),
            (_("Likeliest needs"), ", ".join(f"{need_name(k)} {p:.2f}" for k, p in found["needs"])),
            (_("Fact that answers"), found["fact"]),
        ],
        "scores": list(why.get("scores", {}).items()),
        "examples": why.get("examples", ()),
        "cues": why.get("cues", ()),
        "reasons": why.get("reasons", ()),
        "alarm": why.get("alarm", {}),
        "everyday": why.get("everyday", ()),
        "everyday_from": FROM,
    }
