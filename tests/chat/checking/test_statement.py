"""Sentences are taken out whole; the rest of an answer stays as it was written."""

from __future__ import annotations

from chat.checking.statements import kept, marks_in, renumbered


def test_an_answer_that_holds_is_not_touched():
    answer = "Eerste zin. [1]\n\n- een\n- twee [2]\n"

    assert kept(answer, lambda sentence: True) == (answer, ())


def test_only_the_sentence_that_does_not_hold_goes():
    text, removed = kept(
        "Dit klopt. Dit niet! [1] En dit weer wel. [2]", lambda sentence: "niet" not in sentence
    )

    assert text == "Dit klopt. En dit weer wel. [2]"
    assert removed == ("Dit niet! [1]",)


def test_an_item_of_a_list_goes_with_its_line():
    text, removed = kept("Ja:\n- goed\n- fout", lambda sentence: "fout" not in sentence)

    assert (text, removed) == ("Ja:\n- goed", ("fout",))


def test_a_sentence_is_judged_by_the_source_that_its_line_shares():
    judged = []
    kept("Een. Twee. [3]", lambda sentence: judged.append(sentence) or True)

    assert [marks_in(sentence) for sentence in judged] == [(3,), (3,)]


def test_the_rows_of_a_quotation_share_the_number_of_the_last():
    judged = []
    kept("> - Een\n> - Twee [3]\n\nDrie.", lambda sentence: judged.append(sentence) or True)

    assert judged == ["> Een [3]", "> Twee [3]", "Drie."]


def test_sources_are_numbered_as_listed():
    assert renumbered("Een. [3] Twee. [1] Drie [9].", {3: 1, 1: 2}) == "Een. [1] Twee. [2] Drie."
