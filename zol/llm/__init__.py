"""Chat models by tier: fast, standard, primary, escalation; without a key there are none."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver

from zol.errors import LLMError
from zol.llm.base import Limits, Message, Meter, structured_call
from zol.llm.calls import TierModels

#: Messages about models whose endpoint refused a schema, by endpoint and model.
refusals: dict[tuple[str, str], str] = {}
#: Tiers for which every endpoint has a model.
ANSWERING = ("fast", "standard", "primary", "escalation")
#: Factor on all time limits when a visitor asks to think harder.
ESCALATED = 3


@dataclass(frozen=True)
class _Health:
    """Schema of the test reply that `faults` asks for."""

    state: str


def is_configured() -> bool:
    """Return whether an endpoint is configured; without one the embedded engine answers."""
    return bool(settings.LLM["endpoints"])


def has_tier(tier: str) -> bool:
    """Return whether a model is configured for an optional tier: judge or guardrail."""
    chosen = settings.LLM["tiers"].get(tier)
    return bool(chosen and chosen["model"] and _endpoints(chosen))


def meter_of_turn(*, is_escalated: bool = False) -> Meter:
    """Return a new meter, which counts the calls of a turn and limits their total time."""
    return Meter(seconds=settings.MODEL_SECONDS * (ESCALATED if is_escalated else 1))


def classify_limits(*, tokens: int = 0) -> Limits:
    return Limits(tokens, seconds=settings.MODEL_CLASSIFY_SECONDS)


def answer_limits(*, tokens: int = 0, is_escalated: bool = False) -> Limits:
    longer = ESCALATED if is_escalated else 1
    return Limits(
        tokens,
        patience=settings.MODEL_FIRST_WORD_SECONDS * longer,
        seconds=settings.MODEL_SECONDS * longer,
        stall=settings.MODEL_STALL_SECONDS * longer,
    )


def verify_limits(*, tokens: int = 0) -> Limits:
    return Limits(tokens, seconds=settings.MODEL_VERIFY_SECONDS)


def _endpoints(chosen: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
    """Return the endpoints of a tier: its own, or those of all tiers."""
    found: Sequence[Mapping[str, str]] = chosen.get("endpoints", settings.LLM["endpoints"])
    return found


@cache
def _endpoint(name: str, api_key: str, base_url: str) -> Any:
    # The client takes over a second to import, and most installations have no key.
    from zol.llm.openai import Endpoint  # noqa: PLC0415

    return Endpoint(name, api_key=api_key, base_url=base_url)


@cache
def _slots() -> asyncio.Semaphore:
    return asyncio.Semaphore(settings.MODEL_CALLS)


@cache
def get_llm(tier: str) -> TierModels:
    """Return the model of a tier, with fallback to the next endpoint."""
    from zol.llm.openai import OpenAIModel  # noqa: PLC0415

    chosen = settings.LLM["tiers"][tier]
    models = []
    for endpoint in _endpoints(chosen):
        here = chosen | chosen.get("at", {}).get(endpoint["name"], {})
        models.append(
            OpenAIModel(
                here["model"],
                _endpoint(endpoint["name"], endpoint["api_key"], endpoint["base_url"]),
                temperature=here["temperature"],
                effort=here.get("effort", ""),
                extra=here.get("extra"),
            )
        )
    return TierModels(models, hedge=settings.MODEL_HEDGE_SECONDS, slots=_slots())


def faults() -> list[str]:
    """Request a structured reply from every model of the tiers; return the errors."""
    tiers = [get_llm(name) for name in ANSWERING] if is_configured() else []
    each = dict.fromkeys(model for tier in tiers for model in tier.models)
    return [fault for model in each if (fault := _fault(TierModels([model])))]


def _fault(llm: TierModels) -> str:
    try:
        structured_call(llm, [Message("user", 'Say "well".')], _Health, limits=Limits(seconds=20))
    except LLMError as error:
        return f"{type(error).__name__}: {error}"
    return ""


@receiver(setting_changed)
def forget_models(*, setting: str, **kwargs: Any) -> None:
    """Clear the cached models when a test changes the settings."""
    if setting == "LLM" or setting.startswith("MODEL_"):
        for made in (get_llm, _endpoint, _slots):
            made.cache_clear()
