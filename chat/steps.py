"""Run a stage: for the whole question or each part, step by step, with fallbacks."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from chat.tools import Tools
from chat.turn import Context, StageResult
from zol.errors import ExpectedError

logger = logging.getLogger(__name__)

Action: TypeAlias = Callable[[Context, Tools], StageResult]
Fallback: TypeAlias = Callable[[Context, Tools, ExpectedError], StageResult]


def carry_on(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Continue the turn as degraded."""
    return StageResult(ctx.learn(degraded=True))


def leave_out(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Continue as if the step were switched off."""
    return StageResult(ctx)


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a stage with its switch and its fallback."""

    action: Action
    switch: str = ""
    fallback: Fallback | None = carry_on

    @property
    def name(self) -> str:
        """Return the name in the trace."""
        return self.action.__name__.strip("_")

    def is_on(self, tools: Tools) -> bool:
        return not self.switch or tools.is_on(self.switch)

    def take(self, ctx: Context, tools: Tools) -> StageResult:
        """Run the action, or its fallback if it fails as expected."""
        try:
            return self.action(ctx, tools)
        except ExpectedError as error:
            if self.fallback is None:
                raise
            logger.warning("%s failed; %s", self.name, self.fallback.__name__, exc_info=True)
            return replace(self.fallback(ctx, tools, error), failure=repr(error))


def in_order(ctx: Context, tools: Tools, *steps: Step) -> StageResult:
    """Run steps one after another until one stops the turn; record each by its name."""
    taken = StageResult(ctx)
    for step in steps:
        if step.is_on(tools) and not taken.stop:
            result = step.take(taken.context, tools)
            told = {step.name: dict(result.detail)} if result.detail else {}
            taken = replace(result, detail=told).after(taken)
    return taken


def for_each_part(step: Step, ctx: Context, tools: Tools) -> StageResult:
    """Run a step for each part of a question, or for the whole."""
    if not ctx.parts:
        return step.take(ctx, tools)
    done = [step.take(part, tools) for part in ctx.parts]
    parts = tuple(result.context for result in done)
    return StageResult(
        ctx.learn(parts=parts, degraded=ctx.degraded or any(part.degraded for part in parts)),
        {"parts": [dict(result.detail) for result in done]},
        failure="; ".join(result.failure for result in done if result.failure),
    )
