"""Ask an exam and write what a patient would read, for graders who must not know the version.

    .venv/bin/python -m lab.exams.ask QUESTIONS ANSWERS

QUESTIONS has one JSON object a line: id, hospital, language, turns (a list of questions). ANSWERS
gets a line for each turn: id, turn, question, answer, sources and milliseconds. Nothing
is remembered from one exam question to the next; the page is in the hospital's own language.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "zol.settings")


def answers(exam: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what is answered to each turn of a conversation."""
    from chat.services import take_turn  # noqa: PLC0415 - after Django is set up
    from chat.turn import Exchange, Turn  # noqa: PLC0415
    from zol.commands import chosen_hospital  # noqa: PLC0415
    from zol.tenancy import serving  # noqa: PLC0415

    history: tuple[Exchange, ...] = ()
    hospital = chosen_hospital(exam["hospital"])
    with serving(hospital):
        for number, question in enumerate(exam["turns"], start=1):
            answered = take_turn(Turn(question, hospital.default_language, history=history))
            ctx = answered.context
            urls = tuple(cited.url for cited in ctx.citations)
            history += (Exchange(question, ctx.answer, urls),)
            yield {
                "id": exam["id"],
                "turn": number,
                "language": exam["language"],
                "question": question,
                "answer": ctx.answer,
                "sources": [f"[{each.n}] {each.title} {each.url}" for each in ctx.citations],
                "ms": round(sum(answered.timings_ms.values())),
            }


def main() -> None:
    """Read the command line and ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", type=Path)
    parser.add_argument("answers", type=Path)
    options = parser.parse_args()
    import django  # noqa: PLC0415

    from zol.devservices.services import prepare  # noqa: PLC0415

    prepare(["ask"])
    django.setup()
    with options.answers.open("w", encoding="utf-8") as file:
        for line in options.questions.open(encoding="utf-8"):
            for answer in answers(json.loads(line)):
                file.write(json.dumps(answer, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
