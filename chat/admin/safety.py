"""Admin of emergencies, attacks and interventions: block, freeze, answer by hand, announce."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import regex
from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from chat.channels.frames import answer_of
from chat.models import (
    AdvicePhrase,
    EmergencySituation,
    InjectionPattern,
    Intervention,
    RedFlagPhrase,
)
from chat.models.names import ADVICE, EMERGENCIES, TEXTS, name_in
from chat.phrases import phrases_of
from chat.safety.advice import FILE, PHRASE, ROWS
from chat.safety.attacks import is_slow
from chat.safety.emergencies.alarm import situations_of
from chat.safety.emergencies.phrases import DENIAL, rows_in_force
from chat.safety.emergencies.texts import FULL
from chat.safety.phrases import SHORTEST_PART, pattern, rows_of
from chat.selectors import broken_pattern, live_interventions, messages_about
from taxonomy.admin.relations import EntityChoice
from taxonomy.publishing.live import live_snapshot
from taxonomy.snapshot import Snapshot
from zol.backoffice.base import HospitalAdmin, HospitalForm, by_names, listed
from zol.clock import hospital_now
from zol.errors import NotPublished
from zol.languages import LANGUAGES, Language
from zol.tenancy import serving
from zol.text import csv_lines


class PhraseForm(HospitalForm):
    """Form that refuses phrases without a word, or with an ending that nearly all words have."""

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        words = pattern(text)
        if not words:
            raise forms.ValidationError(
                _("There is no word to search for here: write at least one.")
            )
        if any(word.ends and len(word.text) < SHORTEST_PART for word in words):
            message = _("Write at least %(least)d letters after a * at the beginning of a word.")
            raise forms.ValidationError(message, params={"least": SHORTEST_PART})
        return text


class PhraseAdmin(HospitalAdmin):
    form = PhraseForm
    list_display = ["text", "about", "language", "role"]
    search_fields = ["text", "kind"]
    fields = ["kind", "language", "role", "text"]

    @admin.display(description=_("about"), ordering="kind")
    def about(self, row: Any) -> Any:
        return name_in(self.named["kind"][0], row.kind)


def _filters(names: Mapping[str, Any]) -> list[Any]:
    return ["role", "language", ("kind", by_names(lambda: names, offers_others=False))]


@admin.register(RedFlagPhrase)
class RedFlagAdmin(PhraseAdmin):
    named = {"kind": (EMERGENCIES, "about")}
    list_filter = _filters(EMERGENCIES)
    pages = {"situations": "situations/"}

    def situations_view(self, request: HttpRequest) -> HttpResponse:
        """Show the situations as a document to print and sign."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = self.admin_site.each_context(request) | {"opts": self.opts}
        context |= situations_in(request.GET.get("examples", ""))
        return TemplateResponse(request, "admin/chat/situations.html", context)


ADVICE_TEXT = "refuse_medical"


@dataclass(frozen=True, slots=True)
class Situation:
    """A situation with its phrases, the fixed text that answers, and links to its rows."""

    name: str
    phrases: list[str]
    text: str = ""
    links: tuple[tuple[str, str], ...] = ()


def situations_in(asked: str) -> dict[str, Any]:
    """Return the published situations in a language, as the page to sign shows them."""
    language = asked if asked in LANGUAGES else (get_language() or "en")[:2]
    context = {
        "title": gettext("Situations"),
        "language": language,
        "languages": Language.choices(),
        "spoken": Language(language).label,
        "today": timezone.localdate(),
    }
    try:
        snapshot = live_snapshot()
    except NotPublished:
        return context
    found = _situations(snapshot, language)
    kinds = dict.fromkeys(each.text for each in found if each.text)
    phrases, profile = phrases_of(snapshot), snapshot.profile
    desk = {"desk": profile.short_name, "desk_phone": profile.helpdesk_phone or profile.phone}
    shown = ((kind, phrases.say(kind, language, **desk)) for kind in kinds)
    texts = [(kind, TEXTS[kind], answer_of(text, language)) for kind, text in shown]
    return context | {"situations": found, "texts": texts}


def _situations(snapshot: Snapshot, language: str) -> list[Situation]:
    """Return every situation, then the words that deny one, and requests for advice."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for row in rows_in_force(snapshot):
        if row["language"] in (language, "any"):
            by_kind["" if row["role"] == DENIAL else str(row["kind"])].append(str(row["text"]))
    found = [
        Situation(
            str(name_in(EMERGENCIES, each.kind)),
            by_kind[each.kind],
            FULL + each.text,
            (
                (gettext("phrases"), listed(RedFlagPhrase, f"kind={each.kind}")),
                (gettext("desk"), listed(EmergencySituation, f"q={each.kind}")),
            ),
        )
        for each in snapshot.derived(situations_of)
    ]
    advice = [
        str(row["text"])
        for row in rows_of(snapshot, ROWS, FILE)
        if row["kind"] == PHRASE and row["language"] in (language, "any")
    ]
    link = (gettext("phrases"), listed(AdvicePhrase, f"role={AdvicePhrase.Role.PHRASE}"))
    return [
        *found,
        Situation(gettext("Words that deny a phrase"), by_kind[""]),
        Situation(str(ADVICE[PHRASE]), advice, ADVICE_TEXT, (link,)),
    ]


@admin.register(EmergencySituation)
class SituationAdmin(HospitalAdmin):
    """Admin of emergencies with their desks; the hospital's own number takes precedence."""

    list_display = ["name", "danger", "text", "desk", "phone"]
    search_fields = ["kind"]
    list_filter = ["danger"]
    fields = ["kind", "danger", "text", "specialties", "desk", "phone"]

    @admin.display(description=_("situation"), ordering="kind")
    def name(self, row: EmergencySituation) -> Any:
        return name_in(EMERGENCIES, row.kind)


@admin.register(AdvicePhrase)
class AdviceAdmin(PhraseAdmin):
    named = {"kind": (ADVICE, "about")}
    list_filter = _filters(ADVICE)


class PatternForm(HospitalForm):
    def clean_pattern(self) -> str:
        pattern: str = self.cleaned_data["pattern"]
        try:
            slow = is_slow(pattern)
        except regex.error as error:
            message = _("This is not a valid regular expression: %(error)s.")
            raise forms.ValidationError(message, params={"error": error}) from error
        if slow:
            raise forms.ValidationError(
                _("This pattern may take too long to check: make it simpler.")
            )
        return pattern


@admin.register(InjectionPattern)
class InjectionAdmin(HospitalAdmin):
    form = PatternForm
    list_display = ["description", "pattern", "language", "works"]
    list_filter = ["language"]
    search_fields = ["description", "pattern"]
    fields = ["description", "pattern", "language"]

    @admin.display(description=_("works"))
    def works(self, obj: InjectionPattern) -> str:
        """Return why a pattern is skipped; a check mark if it works."""
        return broken_pattern({"pattern": obj.pattern}) or "✓"


COLUMNS = ("time", "conversation", "message", "question")


@admin.register(Intervention)
class InterventionAdmin(EntityChoice):
    list_display = ["__str__", "kind", "state", "incident", "valid_to", "review_by", "reason"]
    list_filter = ["kind", "incident", "is_active", "review_by"]
    list_select_related = ["subject"]
    search_fields = ["questions", "reason", "text_nl"]
    readonly_fields = ["received"]
    pages = {"received": "<int:pk>/received.csv"}
    fieldsets: list[Any] = [
        (None, {
            "fields": [
                "kind", "questions", "subject", ("valid_from", "valid_to"), "reason", "incident",
                "is_active",
            ],
            "description": _(
                "A line applies to every question that contains its words, in any "
                "language: write separate lines for each language, and test them under "
                "“Explain a question”. Only a bulletin has a subject; every intervention "
                "may have a first and a last day."
            ),
        }),
        (_("Text"), {
            "fields": [f"text_{code}" for code in LANGUAGES],
            "description": _(
                "Text of a curated answer or a bulletin; “block” and “freeze” show a "
                "fixed text instead. If a language has no text, patients see the text in "
                "the hospital's language."
            ),
        }),
        (_("Only for a curated answer"), {"fields": ["source", "review_by"]}),
        (_("Visitors whose question contained these words"), {"fields": ["received"]}),
    ]  # fmt: skip

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001
        super().save_model(request, obj, form, change)
        live_interventions.forget()

    @admin.display(description=_("state"))
    def state(self, obj: Any) -> Any:
        return obj.state(hospital_now().date())

    @admin.display(description=_("answers"))
    def received(self, obj: Intervention) -> Any:
        """Link to the list of everybody who received an answer to a matching question."""
        if not obj.pk:
            return _("This appears after you save.")
        if obj.kind == Intervention.Kind.BULLETIN:
            return _(
                "To see which bulletins were shown with an answer, look at the stage"
                " “post_processing” of that answer."
            )
        address = reverse("admin:chat_intervention_received", args=[obj.pk])
        return format_html('<a href="{}">{}</a>', address, _("Download the full list (CSV)"))

    def received_view(self, request: HttpRequest, pk: int) -> StreamingHttpResponse:
        """Stream everybody who received an answer as CSV."""
        obj = get_object_or_404(self.get_queryset(request), pk=pk)
        if not self.has_view_permission(request, obj) or not request.user.has_perm(
            "chat.view_message"
        ):
            raise PermissionDenied
        hospital_id = obj.hospital_id
        reply = StreamingHttpResponse(
            csv_lines(COLUMNS, _rows(obj, hospital_id)), content_type="text/csv"
        )
        reply["Content-Disposition"] = f'attachment; filename="received-{pk}.csv"'
        return reply


def _rows(row: Intervention, hospital_id: int) -> Iterator[tuple[Any, ...]]:
    # The response is streamed after the view has ended, so the hospital is set again.
    with serving(hospital_id):
        for message in messages_about(row):
            time = message.created_at.isoformat(timespec="seconds")
            yield time, message.conversation_id, message.pk, message.question
