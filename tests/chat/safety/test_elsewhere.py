"""Another hospital is told from ours, by its name or by a town where we are not."""

from __future__ import annotations

import pytest

from chat.safety.elsewhere import Elsewhere, HospitalNames
from tests.chat.question.readers import ROWS, default_rows

KINDS = ("other_hospital_marker", "hospital_word")


def elsewhere() -> Elsewhere:
    rows = [row for row in default_rows(ROWS["chat.cue"]) if row["kind"] in KINDS]
    return Elsewhere(
        rows, HospitalNames(names=frozenset({"zt"}), places=frozenset({"genk", "lanaken"}))
    )


@pytest.mark.parametrize(
    "question",
    [
        "Wat is het adres van jullie ziekenhuis in Lanaken?",
        "ziekenhuis genk parking",
        "numarul spitalului din lanaken",
        "kom van leuven, welke afrit moet ik nemen voor jullie ziekenhuis",
        "où se trouve votre hôpital, je viens de Liège",
        "wat zijn de bezoekuren",
        "Ist Ihr Krankenhaus von Aachen aus mit dem Bus erreichbar?",
        "Welche Klinik ist für Nieren zuständig?",
        "is er een ziekenhuisapotheek",
        "ik had foto's in een ander ziekenhuis, moet ik die meebrengen",
        "last time I had to leave the MRI at another hospital, may my wife come in",
        "mon cardiologue est dans un autre hôpital, il vous faut son rapport ?",
    ],
)
def test_ours_is_ours(question: str) -> None:
    assert not elsewhere().check(question)


@pytest.mark.parametrize(
    "question",
    [
        "bezoekuren ziekenhuis Hasselt",
        "telefoonnummer cardiologie uz leuven",
        "Wat zijn de bezoekuren in het Jessa Ziekenhuis?",
        "how do I book at the hospital in Brussels",
        "quels sont les horaires de l'hôpital de Namur",
        "Besuchszeiten im Klinikum Aachen",
        "İstanbul'daki hastane randevusu nasıl alınır",
        "orari di visita all'ospedale Niguarda di Milano",
        "programare la spitalul universitar din București",
        "επισκεπτήριο στο νοσοκομείο Ευαγγελισμός στην Αθήνα",
    ],
)
def test_another_is_another(question: str) -> None:
    assert elsewhere().check(question)


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("je cherche le numéro de la cardiologie à saint-luc uclouvain", id="Brussels"),
        pytest.param("numéro de la maternité de l'hôpital Érasme", id="Brussels, accents"),
        pytest.param("rendez-vous au CHU Tivoli", id="Hainaut"),
        pytest.param("heures de visite à l'hôpital Princesse Paola", id="Luxembourg"),
        pytest.param("parking du CHC MontLégia", id="Liège"),
        pytest.param("bezoekuren ZAS Cadix", id="Antwerp"),
        pytest.param("telefoon spoed AZ Oudenaarde", id="East Flanders"),
        pytest.param("Besuchszeiten St. Nikolaus-Hospital Eupen", id="the German-speaking part"),
    ],
)
def test_hospitals_of_the_whole_country_are_known(question: str) -> None:
    assert elsewhere().check(question)


def test_a_hospital_that_is_named_in_the_list_is_ours_where_it_is_we() -> None:
    rows = [row for row in default_rows(ROWS["chat.cue"]) if row["kind"] in KINDS]
    name = frozenset({"clinique", "saint", "jean"})
    ours = HospitalNames(names=frozenset({"jean"}), places=frozenset({"bruxelles"}), full_name=name)

    assert not Elsewhere(rows, ours).check("où se gare-t-on à la clinique saint-jean ?")
    assert Elsewhere(rows, ours).check("où se gare-t-on au chu brugmann ?")
