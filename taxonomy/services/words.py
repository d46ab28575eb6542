"""What a word means already, so that it is never given a second meaning unnoticed."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from taxonomy.models import Alias, Entity
from zol.text import fold, squash


def meaning_elsewhere(
    entity: Entity, text: str, language: str, *, besides: Collection[int] = ()
) -> str:
    """Return why a word cannot become an alias of an entity; "" when it can."""
    folded = fold(squash(text))
    mine = [entity.pk, *besides]
    alias = Alias.objects.filter(
        language=language, folded=folded, entity_kind=entity.kind
    ).select_related("entity").exclude(entity_id__in=mine).first()  # fmt: skip
    other = alias.entity if alias else _named(entity, folded, mine)
    if other is None:
        return ""
    return _("“%(text)s” (%(language)s) means “%(other)s” already.") % {
        "text": text, "language": language, "other": other,
    }  # fmt: skip


def _named(entity: Entity, folded: str, mine: Collection[int]) -> Entity | None:
    others = Entity.objects.filter(kind=entity.kind, status=Entity.Status.ACTIVE)
    return next((o for o in others.exclude(pk__in=mine) if fold(o.name) == folded), None)
