from __future__ import annotations

from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Error, register

from zol.apps import check_setting


class ChatConfig(AppConfig):
    name = "chat"

    def ready(self) -> None:
        check_setting("RATE_LIMITS", rate_limits)
        register(emergencies_that_code_knows)
        register(languages_with_red_flags)
        keeping = import_module("chat.question.learned.store")
        keeping.shelf.folder = settings.LEARNED_ROOT
        import_module("taxonomy.live").slow_to_derive.extend((learned, curated))


def learned(snapshot: Any) -> Any:
    """Learn from a version's examples, before it goes live; imported only when one may."""
    if not snapshot.rows_of("chat.intentexample"):
        return None
    return snapshot.derived(import_module("chat.question.reader").reader_of)


def curated(snapshot: Any) -> Any:
    """Hear the examples of a version's curated answers, before it goes live."""
    if not snapshot.rows_of("chat.curatedanswer"):
        return None
    return snapshot.derived(import_module("chat.sources.hearing").curated_of)


def rate_limits() -> Any:
    """Read how many questions a visitor may ask; imported only when asked for."""
    return import_module("chat.channels.rate_limit").limits_of(settings.RATE_LIMITS)


def emergencies_that_code_knows(**_: Any) -> list[Error]:
    """Tell which sorts of emergencies code treats apart that no default row speaks of."""
    return [
        Error(f"No default row of red_flags.csv is of the sort “{kind}”.", id="chat.emergency")
        for kind in import_module("chat.safety.rows").unknown_emergencies()
    ]


def languages_with_red_flags(**_: Any) -> list[Error]:
    """Refuse a language in which somebody could tell of an emergency and not be understood."""
    return [
        Error(
            f"“{language}” has no red flags of its own for {len(kinds)} sorts or slots, such as "
            f"“{kinds[0]}”: an emergency told in it would be missed.",
            hint="Write its rows in chat/defaults/red_flags.csv, or take it from zol/languages.py.",
            id="chat.language",
        )
        for language, kinds in import_module("chat.safety.rows").unheard_emergencies().items()
    ]
