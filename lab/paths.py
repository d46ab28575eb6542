"""Where the product's tables and the laboratory's data stand."""

from __future__ import annotations

from pathlib import Path

LAB = Path(__file__).parent
ROOT = LAB.parent
READING, EXAMS, SAFETY = LAB / "reading", LAB / "exams", LAB / "safety"
#: How people ask with each need.
NEED_EXAMPLES = LAB / "data" / "needs_examples.csv"
INTENT_EXAMPLES = ROOT / "chat" / "defaults" / "intent_examples.csv"
#: Examples that came with the product until it needed fewer.
DROPPED_EXAMPLES = LAB / "data" / "intent_examples.csv"
LEXICON = ROOT / "taxonomy" / "defaults" / "lexicon.csv"
