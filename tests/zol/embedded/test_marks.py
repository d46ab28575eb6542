"""What was done once is not done again until something changes."""

from __future__ import annotations

from zol.embedded.marks import Mark, digest


def test_nothing_was_done_at_first(tmp_path):
    assert not Mark(tmp_path / "mark", "abc").is_set()


def test_what_was_done_is_remembered(tmp_path):
    Mark(tmp_path / "mark", "abc").set()

    assert Mark(tmp_path / "mark", "abc").is_set()
    assert not Mark(tmp_path / "mark", "abd").is_set()


def test_every_change_of_a_folder_changes_its_digest(tmp_path):
    seen = [digest([tmp_path])]
    (tmp_path / "a.csv").write_text("één")
    seen.append(digest([tmp_path]))
    (tmp_path / "a.csv").write_text("twee")
    seen.append(digest([tmp_path]))
    (tmp_path / "a.csv").rename(tmp_path / "b.csv")
    seen.append(digest([tmp_path]))
    seen.append(digest([tmp_path], "another database"))

    assert len(set(seen)) == 5
