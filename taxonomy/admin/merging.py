"""Page to merge an entity into another: choose it, see what would differ, confirm."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from taxonomy.admin.relations import EntitySelect
from taxonomy.models import Entity, Proposal
from taxonomy.proposals import merging
from zol.errors import BadInput


class IntoForm(forms.Form):
    into = forms.ModelChoiceField(
        Entity.objects.none(), label=_("Merge into"),
        help_text=_("Choose the entity that is kept. It must be of the same kind."),
    )  # fmt: skip

    def __init__(self, *args: Any, entity: Entity, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["into"]
        others = Entity.objects.filter(kind=entity.kind, status=Entity.Status.ACTIVE)
        field.queryset = others.exclude(pk=entity.pk)
        field.widget = EntitySelect(
            Proposal._meta.get_field("subject"), admin.site, kind=entity.kind
        )
        field.widget.choices = field.choices


class MergingPages:
    """Admin mixin with a page to merge an entity."""

    model: Any
    admin_site: Any
    opts: Any
    pages = {"merge": "<int:pk>/merge/"}

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> Any:
        """Redirect from a merged entity to the one kept; `?stay=1` does not."""
        merger = merging.merger_of(object_id)
        is_led = request.method == "GET" and "stay" not in request.GET
        if merger is None or not is_led or not self.has_view_permission(request):  # type: ignore[attr-defined]
            return super().change_view(request, object_id, *args, **kwargs)  # type: ignore[misc]
        text = gettext("“%(old)s” was merged into “%(new)s”.")
        messages.info(request, text % {"old": merger.old_name, "new": merger.target})
        kept = reverse(f"admin:taxonomy_{self.opts.model_name}_change", args=[merger.target_id])
        return HttpResponseRedirect(kept)

    def merge_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what a merger would change; merge when it is confirmed."""
        if not self.has_change_permission(request):  # type: ignore[attr-defined]
            raise PermissionDenied
        entity = get_object_or_404(self.model, pk=pk)
        form = IntoForm(request.POST or None, entity=entity)
        into = form.cleaned_data["into"] if form.is_bound and form.is_valid() else None
        if into is not None and "_confirm" in request.POST:
            return self._merge(request, entity, into)
        context = self.admin_site.each_context(request) | {
            "title": gettext("Merge “%s”") % entity,
            "opts": self.opts,
            "entity": entity,
            "form": form,
            "into": into,
            "differences": merging.differences(entity, into) if into else (),
            "media": form.media,
        }
        return TemplateResponse(request, "admin/taxonomy/merge.html", context)

    def _merge(self, request: HttpRequest, entity: Entity, into: Entity) -> HttpResponse:
        try:
            merger = merging.merge(entity, into, by=request.user)  # type: ignore[arg-type]
        except BadInput as reason:
            messages.error(request, str(reason))
            return HttpResponseRedirect(request.path)
        text = gettext("Merged “%(old)s” into “%(new)s”.") % {"old": entity, "new": into}
        self.log_change(request, entity, text)  # type: ignore[attr-defined]
        messages.success(request, text)
        for collision in merger.collisions:
            messages.warning(request, collision)
        name = f"admin:taxonomy_{self.opts.model_name}_change"
        return HttpResponseRedirect(reverse(name, args=[into.pk]))
