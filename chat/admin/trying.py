"""A question tried out, live and on the draft: what is answered, and what speaks for that."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
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
from lxml import html

from chat.admin.trace import TraceShown, shown
from chat.behaviours import Channel, Mode
from chat.explaining import tried, understood
from chat.models import Message
from chat.presentation import presented
from chat.protocol import key_of
from chat.services import history_of
from chat.turn import Exchange, Turn
from chat.understanding.everyday import FROM
from taxonomy.selectors import answering_from, draft_snapshot, live_snapshot
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


class MomentField(forms.CharField):
    """A date and time as the commands take it; empty is none."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        try:
            return moment_of(text) if text else None
        except BadInput as error:
            raise forms.ValidationError(
                _("This is no date and time; write it as %(form)s."), params={"form": FORM}
            ) from error


THEN, LIVE, DRAFT, BOTH = "then", "live", "draft", "both"
CHOICES = {LIVE: _("Live now"), DRAFT: _("The draft"), BOTH: _("Both, side by side")}
TITLES = {THEN: _("As answered then"), **CHOICES}
SNAPSHOTS = {THEN: live_snapshot, LIVE: live_snapshot, DRAFT: draft_snapshot}
#: The blocks of an answer that are compared, and the numbers of sources in them, which are not.
BLOCKS, NUMBER = ("p", "li", "tr"), re.compile(r"\s*\[\d+\]")


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


@dataclass(slots=True)
class Tried:
    """An answer beside others: what patients read, and what it came from; or why there is none."""

    name: str
    title: Any
    message: Message | None = None
    #: As the page of patients shows it.
    page: dict[str, Any] = field(default_factory=dict)
    trace: TraceShown | None = None
    explained: dict[str, Any] = field(default_factory=dict)
    failure: str = ""

    def show(self, message: Message) -> None:
        self.message, self.page = message, presented(message)
        self.trace = shown(message.trace, message.timings_ms)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What is told about the answer, by name."""
        message = self.message
        if message is None:
            return []
        return [
            (gettext("Certainty"), message.get_certainty_display() or "–"),
            (gettext("Behaviour"), message.behaviour or "–"),
            (gettext("Intent"), message.intent or "–"),
            (gettext("Language of the answer"), message.language or "–"),
            (gettext("Contact"), message.contact.get("name", "") or "–"),
            (gettext("Verified with hospital data"), "✓" if message.verified else "✗"),
        ]

    @property
    def passed_over(self) -> list[Any]:
        """The passages that were found and that the answer cites nothing of."""
        cited = self.message.citations if self.message else ()
        quoted = {pk for each in cited for pk in (each["chunk_id"], *each.get("also", ()))}
        found = self.trace.candidates if self.trace else ()
        return [each for each in found if each.values["chunk"] not in quoted]

    @property
    def said(self) -> dict[str, set[Any]]:
        """All that can differ from what another answer says."""
        return {
            "facts": set(self.facts),
            "blocks": {_plain(block) for block in _tree(self.page["html"]).iter(*BLOCKS)},
            "sources": {(each["url"], each["title"]) for each in self.page["citations"]},
            "follow_ups": set(self.page["follow_ups"]),
        }

    def mark(self, common: dict[str, set[Any]]) -> None:
        """Mark what is not common to all answers."""
        tree = _tree(self.page["html"])
        for block in tree.iter(*BLOCKS):
            if _plain(block) not in common["blocks"]:
                block.set("class", "differs")
        self.page["html"] = html.tostring(tree, encoding="unicode")
        for source in self.page["citations"]:
            source["differs"] = (source["url"], source["title"]) not in common["sources"]


def _tree(text: str) -> Any:
    return html.fragment_fromstring(text, create_parent="div")


def _plain(block: Any) -> str:
    return " ".join(NUMBER.sub("", block.text_content()).split())


def compare(answers: Sequence[Tried]) -> dict[str, Any]:
    """Mark what not all answers say; return what they have in common, and whether that is all."""
    given = [each for each in answers if each.message]
    said = [each.said for each in given]
    common = (
        {name: set.intersection(*(each[name] for each in said)) for name in said[0]} if said else {}
    )
    for each in given:
        each.mark(common)
    is_same = len(answers) == len(given) > 1 and all(each == common for each in said)
    return {"common": common, "is_same": is_same}


class TryingAdmin(HospitalAdmin):
    """Rows that questions are understood by, with a page on which one can be tried."""

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.try_view)
        return [path("try/", page, name=URL_NAME), *super().get_urls()]

    def try_view(self, request: HttpRequest) -> HttpResponse:
        """Show what is answered to a question, live and on the draft. Nothing of it is kept.

        A turn of a patient is asked again as soon as the page is opened.
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
        if form.is_valid():
            try:
                answers = asked(past, earlier, **form.cleaned_data)
                context |= {"answers": answers, **compare(answers)}
            except Full:
                form.add_error(None, gettext("Patients are being answered; ask again in a moment."))
        return TemplateResponse(request, "admin/chat/try.html", context)


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
) -> list[Tried]:
    """Ask what is live, the draft, or both; beside what was answered then."""
    turn = Turn(question, language, earlier, at=at)
    if past:
        channel = Channel(past.conversation.channel)
        turn = replace(turn, mode=Mode(past.mode), channel=channel)
    with turn_here():
        then = [_tried(THEN, turn, past)] if past else []
        return then + [_tried(name, turn) for name in (LIVE, DRAFT) if of in (name, BOTH)]


def _tried(name: str, turn: Turn, past: Message | None = None) -> Tried:
    made = Tried(name, TITLES[name])
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


def _explained(turn: Turn, snapshot: Snapshot) -> dict[str, Any]:
    found = understood(turn.question, turn.language, snapshot, turn.at, turn.history)
    why = found["why"]
    return {
        "found": found,
        "checks": [
            (_("Emergency"), found["red_flag"]),
            (_("Attack"), found["attack"]),
            (_("Medical advice"), found["advice"] or ""),
            (_("Personal data taken out"), ", ".join(found["redacted"])),
            (_("Decision of staff"), found["intervention"]),
            *_curated(found["curated"]),
            (_("Likeliest needs"), ", ".join(found["needs"])),
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
