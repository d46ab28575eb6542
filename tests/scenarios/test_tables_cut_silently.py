"""Of the schedule before an examination "the day before" was left out, and shown as a quotation.

What is shown of a table or a list is all of it, or it is said how much of it that is.
"""

import pytest

from chat.answering.written import WrittenAnswer
from chat.checking.base import Line, LineKind, NumberedEvidence, Source
from chat.turn import Citation
from tests.builders import phrases

TEXTS = phrases(table_part="Getoond: {shown} van de {of}. {mark}")


@pytest.mark.parametrize("kind", [LineKind.ROW, LineKind.ITEM])
@pytest.mark.parametrize(("count", "is_told"), [(1, False), (3, True), (18, False)])
def test_what_is_shown_of_a_table_or_list_is_whole_or_says_how_much_it_is(kind, count, is_told):
    lines = tuple(Line(f"2.{n}", f"Dag {n}: nuchter", "Schema", kind=kind) for n in range(1, 19))
    page = Source(Citation(2, "Coloscopie", "https://ziekenhuis.test/2"), lines)
    answer = WrittenAnswer(NumberedEvidence((page,)), TEXTS, "nl")

    answer.show(lines[:count])

    assert (f"Getoond: {count} van de 18. [1]" in answer.text) is is_told
