"""Hospital packs for tests."""

from pathlib import Path

#: A second tiny hospital: 2 campuses, 6 doctors, 8 pages and a PDF.
MINI = Path(__file__).parent / "mini"

#: A whole hospital that nobody tuned for (tests/elsewhere/README.md).
ELSEWHERE = Path(__file__).parent.parent / "elsewhere" / "pack"

#: A small French-speaking hospital in France (tests/elsewhere/README.md).
CLAIRVAL = Path(__file__).parent.parent / "elsewhere" / "clairval"
