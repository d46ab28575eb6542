"""Loading and export of packs."""

import filecmp
import shutil
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chat.models import FixedText
from chat.phrases import EXAMPLES
from evaluation.models import GoldenQuestion
from retrieval.models import CategoryKeyword, Document, Original
from taxonomy.models import Alias, Condition, Department, Doctor, Entity, Fact, Relation, Version
from taxonomy.packs.findings import Change, PackRefused
from taxonomy.packs.folder import export_pack, load_pack, read_pack
from taxonomy.proposals.merging import merge
from taxonomy.publishing.defaults import waiting_defaults
from taxonomy.vocabulary import Kind, Predicate
from tests.packs import MINI
from tests.taxonomy.packs.conftest import spoil
from zol.models import Hospital, HospitalHost
from zol.tenancy import serving

pytestmark = pytest.mark.django_db


def differing(one, other):
    """The files that are not the same, byte for byte."""
    names = {p.relative_to(one) for p in one.rglob("*") if p.is_file()}
    names |= {p.relative_to(other) for p in other.rglob("*") if p.is_file()}
    _, unequal, missing = filecmp.cmpfiles(one, other, map(str, names), shallow=False)
    return sorted(unequal + missing)


def test_a_loaded_hospital_has_its_rows_and_all_defaults(mini):
    assert Doctor.objects.count() == 6
    assert Document.objects.count() == Original.objects.count() == 9
    assert GoldenQuestion.objects.get(key="mini-005").turns == [
        "Wie behandelt cataract?",
        "En op welke campus is dat?",
    ]
    assert CategoryKeyword.objects.exists()
    assert list(waiting_defaults()) == []
    examples = FixedText.objects.get(kind=EXAMPLES)
    assert (examples.language, len(examples.text.splitlines())) == ("nl", 2)
    assert Relation.objects.filter(predicate=Predicate.HAS_CAMPUS).count() == 2


FACTS = (
    "need,subject_kind,subject,conditions,value,source\n"
    "contact,,,,089 00 50 50 | staffed: weekdagen 9-12u,\n"
    "opening_hours,campus,oever,,elke dag 7-20,\n"
)


def test_facts_are_loaded_once_changed_removed_and_exported_unchanged(mini, pack, tmp_path):
    (pack / "taxonomy/facts.csv").write_text(FACTS, encoding="utf-8")
    assert load_pack(read_pack(pack))[1].total == 2
    assert load_pack(read_pack(pack))[1].total == 0
    assert Fact.objects.get(need="contact").value.endswith("staffed: ma-vr 9:00-12:00")
    export_pack(mini, tmp_path / "out")
    assert (tmp_path / "out/taxonomy/facts.csv").read_text(encoding="utf-8") == FACTS

    own = Fact.objects.create(hospital=mini, need="smoking", value="no")
    spoil(pack, "taxonomy/facts.csv", "elke dag 7-20", "elke dag 7-19")
    spoil(pack, "taxonomy/facts.csv", "contact,,,,089 00 50 50 | staffed: weekdagen 9-12u,\n", "")
    load_pack(read_pack(pack))
    assert {row.value for row in Fact.objects.exclude(pk=own.pk)} == {"ma-zo 7:00-19:00"}
    export_pack(mini, tmp_path / "again")
    assert "smoking,,,,no" in (tmp_path / "again/taxonomy/facts.csv").read_text(encoding="utf-8")


def test_a_loaded_pack_is_exported_unchanged(mini, tmp_path):
    export_pack(mini, tmp_path / "out")

    assert differing(MINI, tmp_path / "out") == []


def test_an_export_without_the_loaded_files_is_equivalent(mini, tmp_path):
    """In the normal form, which the small pack's tables are written in but for the woman's v."""
    from django.core.files.storage import default_storage

    shutil.rmtree(default_storage.path(f"{mini.pk}/pack"))

    export_pack(mini, tmp_path / "out")

    assert differing(MINI, tmp_path / "out") == ["hospital.yaml"]
    again, changes = load_pack(read_pack(tmp_path / "out"))
    assert (again, changes.total) == (mini, 0)


def test_loading_twice_changes_nothing_and_keeps_additions_of_staff(mini):
    condition = Condition.objects.get(key="astma")
    Alias.objects.create(entity=condition, text="piepende adem", language="nl")

    _, changes = load_pack(read_pack(MINI))

    assert list(changes.lines())[-1] == "0 changes"
    assert Alias.objects.filter(text="piepende adem").exists()


def test_changes_of_staff_are_exported(mini, tmp_path):
    Department.objects.filter(key="longziekten").update(phone="011 00 99 99")

    export_pack(mini, tmp_path / "out")

    assert differing(MINI, tmp_path / "out") == ["taxonomy/departments.csv"]
    assert "011 00 99 99" in (tmp_path / "out/taxonomy/departments.csv").read_text()


def test_a_dry_run_counts_and_writes_nothing():
    _, changes = load_pack(read_pack(MINI), dry_run=True)

    assert changes.of("doctor", Change.NEW) == 6
    assert not Hospital.objects.exists()


def test_rows_that_left_the_pack_are_hidden_or_withdrawn_and_aliases_move(mini, pack):
    spoil(pack, "taxonomy/doctors.csv", "noor-smets,", "nora-smets,")
    spoil(pack, "taxonomy/conditions.csv", "groene staar|", "")
    spoil(pack, "taxonomy/conditions.csv", "grauwe staar|staar", "grauwe staar|groene staar")
    path = pack / "pages/index.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "zorg/astma" not in line), encoding="utf-8")

    _, changes = load_pack(read_pack(pack))

    assert Doctor.objects.get(key="noor-smets").status == Entity.Status.HIDDEN
    assert (changes.of("doctor", Change.NEW), changes.of("doctor", Change.GONE)) == (1, 1)
    assert not Relation.objects.filter(subject__key="noor-smets").exists()
    assert Document.objects.get(path="zorg/astma.html").status == Document.Status.WITHDRAWN
    assert Alias.objects.get(folded="groene staar").entity.key == "cataract"
    assert not Alias.objects.filter(folded="staar", entity_kind=Kind.CONDITION).exists()


def test_an_alias_that_staff_gave_to_another_is_reported_not_overwritten(mini, pack):
    other = Condition.objects.get(key="astma")
    Alias.objects.create(entity=other, text="traanogen", language="nl")
    spoil(pack, "taxonomy/conditions.csv", "groene staar|", "traanogen|")

    with pytest.raises(PackRefused, match=r"conditions\.csv:5:3: The alias “traanogen”.*by staff"):
        load_pack(read_pack(pack))

    assert Alias.objects.filter(folded="groene staar").exists()


def test_mergers_of_staff_survive_loading_the_pack_again(mini, pack):
    old, kept = (Department.objects.get(key=key) for key in ("b3-afdeling", "longziekten"))
    merge(old, kept, by=None)
    spoil(
        pack, "taxonomy/departments.csv", "B3-afdeling,B3,ward", "B3-afdeling,B3|verdieping 3,ward"
    )

    load_pack(read_pack(pack))

    assert Department.objects.get(key="b3-afdeling").status == Entity.Status.HIDDEN
    assert Alias.objects.get(text="verdieping 3").entity_id == kept.pk
    assert load_pack(read_pack(pack))[1].total == 0


def test_a_host_of_another_hospital_cannot_be_taken(db, pack, other_hospital):
    with serving(other_hospital):
        HospitalHost.objects.create(hospital=other_hospital, host="azm-mini.localhost")

    with pytest.raises(PackRefused, match="belongs to another hospital"):
        load_pack(read_pack(pack))

    assert not Hospital.objects.filter(slug="azm-mini").exists()


def run(*arguments):
    output = StringIO()
    call_command(*arguments, stdout=output, stderr=output, skip_checks=True)
    return output.getvalue()


def test_the_command_publishes_only_the_first_version_and_refuses_an_invalid_pack(db, pack):
    spoil(pack, "taxonomy/departments.csv", ",ward,", ",wing,")
    with pytest.raises(CommandError, match="1 mistake; nothing was loaded"):
        run("load_hospital", str(pack))
    assert not Hospital.objects.exists()

    said = run("load_hospital", str(MINI), "--publish")

    assert "Published version 1." in said
    with serving(Hospital.objects.get(slug="azm-mini")):
        assert Version.objects.get().number == 1
    with pytest.raises(CommandError, match="has a published version already"):
        run("load_hospital", str(MINI), "--publish")


def test_the_export_command_reports_the_written_files(mini, tmp_path):
    assert run("export_hospital", "azm-mini", str(tmp_path / "out")).startswith("21 files")
    with pytest.raises(CommandError, match="not an empty folder"):
        run("export_hospital", "azm-mini", str(tmp_path / "out"))
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(CommandError, match="cannot be written"):
        run("export_hospital", "azm-mini", str(tmp_path / "file" / "out"))
