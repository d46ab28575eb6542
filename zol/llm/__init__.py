"""Chat models by tier: fast, standard, primary, escalation; without a key there are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.conf import settings
from django.core.signals import setting_changed
from django.dispatch import receiver

from zol.llm.base import LLM, CircuitBreaker, Fallback, circuit_breaker


def is_configured() -> bool:
    """Whether an endpoint was named; without one the embedded engine answers."""
    return bool(settings.LLM["endpoints"])


def has_tier(tier: str) -> bool:
    """Whether a layer of its own has a model: the judge, or the guardrail."""
    chosen = settings.LLM["tiers"].get(tier)
    return bool(chosen and chosen["model"] and _endpoints(chosen))


def _endpoints(chosen: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
    """Return where a tier's model is asked: at an address of its own, or where all are."""
    found: Sequence[Mapping[str, str]] = chosen.get("endpoints", settings.LLM["endpoints"])
    return found


#: The breaker of an endpoint; all its models share it.
_breaker = cache(circuit_breaker)


@cache
def get_llm(tier: str) -> LLM:
    """Return the models of a tier, each endpoint standing in for the one before it."""
    # The client takes over a second to import, and most installations have no key.
    from zol.llm.openai import OpenAIModel  # noqa: PLC0415

    chosen = settings.LLM["tiers"][tier]
    return Fallback(
        [
            CircuitBreaker(
                OpenAIModel(
                    chosen["model"],
                    temperature=chosen["temperature"],
                    endpoint=endpoint["name"],
                    api_key=endpoint["api_key"],
                    base_url=endpoint["base_url"],
                ),
                _breaker(endpoint["name"]),
            )
            for endpoint in _endpoints(chosen)
        ]
    )


@receiver(setting_changed)
def forget_models(*, setting: str, **kwargs: Any) -> None:
    """Make the models anew when a test changes the settings."""
    if setting == "LLM":
        get_llm.cache_clear()
        _breaker.cache_clear()
