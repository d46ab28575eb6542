"""A hospital sees and joins only its own rows; what is published is written once."""

from django.db import migrations

from zol.postgres.operations import HospitalRows, RowsOfParent, SameHospital, WrittenOnce


class Migration(migrations.Migration):
    dependencies = [("taxonomy", "0001_initial"), ("zol", "0002_row_security")]

    operations = [
        HospitalRows("taxonomy_entity"),
        HospitalRows("taxonomy_alias"),
        HospitalRows("taxonomy_relation"),
        HospitalRows("taxonomy_lexiconconcept"),
        HospitalRows("taxonomy_version"),
        HospitalRows("taxonomy_livepointer"),
        HospitalRows("taxonomy_publishedentity"),
        HospitalRows("taxonomy_publishedrelation"),
        HospitalRows("taxonomy_publishedrow"),
        RowsOfParent("taxonomy_campus", "taxonomy_entity", "entity_ptr_id"),
        RowsOfParent("taxonomy_department", "taxonomy_entity", "entity_ptr_id"),
        RowsOfParent("taxonomy_doctor", "taxonomy_entity", "entity_ptr_id"),
        RowsOfParent("taxonomy_condition", "taxonomy_entity", "entity_ptr_id"),
        RowsOfParent("taxonomy_treatment", "taxonomy_entity", "entity_ptr_id"),
        RowsOfParent("taxonomy_examination", "taxonomy_entity", "entity_ptr_id"),
        RowsOfParent("taxonomy_specialty", "taxonomy_entity", "entity_ptr_id"),
        SameHospital("taxonomy_alias", "entity_id", "taxonomy_entity"),
        SameHospital("taxonomy_relation", "subject_id", "taxonomy_entity"),
        SameHospital("taxonomy_relation", "object_id", "taxonomy_entity"),
        SameHospital("taxonomy_livepointer", "version_id", "taxonomy_version"),
        SameHospital("taxonomy_publishedentity", "version_id", "taxonomy_version"),
        SameHospital("taxonomy_publishedrelation", "version_id", "taxonomy_version"),
        SameHospital("taxonomy_publishedrelation", "subject_id", "taxonomy_publishedentity"),
        SameHospital("taxonomy_publishedrelation", "object_id", "taxonomy_publishedentity"),
        SameHospital("taxonomy_publishedrow", "version_id", "taxonomy_version"),
        WrittenOnce("taxonomy_version"),
        WrittenOnce("taxonomy_publishedentity"),
        WrittenOnce("taxonomy_publishedrelation"),
        WrittenOnce("taxonomy_publishedrow"),
    ]
