"""Admin pages of SNOMED CT: loaded releases, what they changed, and proposals."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from taxonomy.admin.proposals import QueueAdmin
from taxonomy.models import SnomedChange, SnomedProposal, SnomedRelease
from taxonomy.proposals.merging import meaning_elsewhere
from taxonomy.snomed import proposals
from taxonomy.snomed.proposals import propose
from zol.backoffice.base import HospitalForm, ReadOnlyAdmin


class DecisionForm(HospitalForm):
    """Form of a proposal, to choose the terms that become aliases."""

    words = forms.MultipleChoiceField(
        label=_("Words to add as aliases"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Untick the words that should not lead patients to this entity."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "words" in self.fields:
            synonyms = self.instance.synonyms
            self.fields["words"].choices = [(s["text"], self._label(s)) for s in synonyms]
            self.initial["words"] = [s["text"] for s in synonyms]

    def _label(self, synonym: dict[str, str]) -> str:
        entity, text, language = self.instance.entity, synonym["text"], synonym["language"]
        found = meaning_elsewhere(entity, text, language)
        return f"{text} ({language})" + (f" – {found}" if found else "")


@admin.register(SnomedProposal)
class SnomedProposalAdmin(QueueAdmin):
    """Queue of proposals; SNOMED CT has no effect before a user accepts one."""

    form = DecisionForm
    list_display = ["entity", "preferred_term", "match", "rivals", "new_words", "status"]
    list_filter = ["status", "matched_by", "entity__kind"]
    list_select_related = ["entity"]
    search_fields = ["entity__name", "preferred_term", "concept"]
    change_list_template = "admin/taxonomy/snomedproposal/change_list.html"
    readonly_fields = [
        "entity", "concept", "preferred_term", "matched_by", "matched_text", "rivals", "release",
        "status", "decided_by", "decided_at", "outcome",
    ]  # fmt: skip

    asked = ["words"]

    @admin.display(description=_("recognised by"), ordering="matched_by")
    def match(self, proposal: SnomedProposal) -> str:
        return f"{proposal.get_matched_by_display()}: {proposal.matched_text}"

    @admin.display(description=_("new words"))
    def new_words(self, proposal: SnomedProposal) -> int:
        return len(proposal.synonyms)

    def look(self, request: HttpRequest) -> None:
        if not SnomedRelease.objects.filter(is_current=True).exists():
            messages.warning(request, gettext("No release of SNOMED CT is loaded yet."))
            return
        made, unknown = propose(request.hospital)  # type: ignore[attr-defined]
        text = ngettext("%d proposal to decide on.", "%d proposals to decide on.", made)
        messages.success(request, text % made)
        for entity in unknown:
            text = gettext(
                "The code %(code)s of “%(entity)s” is not an active concept of"
                " this release: correct it."
            )
            messages.warning(request, text % {"code": entity.snomed, "entity": entity})

    def accept(self, request: HttpRequest, proposal: Any, values: Any) -> str:
        words = None if values is None else values.getlist("words")
        text = proposals.accept(proposal, by=request.user, words=words)
        return f"{proposal} – {text}"

    def reject(self, request: HttpRequest, proposal: Any, values: Any) -> str:
        proposals.reject(proposal, by=request.user)
        return f"{proposal} – {gettext('rejected')}"


@admin.register(SnomedRelease)
class SnomedReleaseAdmin(ReadOnlyAdmin):
    list_display = [
        "edition", "effective", "is_current", "concepts", "terms", "seconds", "loaded_at",
    ]  # fmt: skip
    fields = [
        "edition", "effective", "is_current", "languages", "counts", "changes", "seconds",
        "peak_mib", "loaded_at",
    ]  # fmt: skip
    change_list_template = "admin/taxonomy/snomedrelease/change_list.html"

    @admin.display(description=_("concepts"))
    def concepts(self, release: SnomedRelease) -> int:
        return release.counts.get("concepts", 0)

    @admin.display(description=_("terms"))
    def terms(self, release: SnomedRelease) -> int:
        return release.counts.get("descriptions", 0)


@admin.register(SnomedChange)
class SnomedChangeAdmin(ReadOnlyAdmin):
    """Changes by a new release to the concepts of this hospital's entities."""

    list_display = ["entity", "sort", "term", "language", "concept", "release"]
    list_filter = ["sort", "release"]
    list_select_related = ["entity", "release"]
    search_fields = ["entity__name", "term"]
