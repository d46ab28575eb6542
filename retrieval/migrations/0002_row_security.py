"""A hospital sees and joins only its own rows."""

from django.db import migrations

from zol.postgres.operations import HospitalRows, SameHospital


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0001_initial"), ("zol", "0002_row_security")]

    operations = [
        HospitalRows("retrieval_original"),
        HospitalRows("retrieval_document"),
        HospitalRows("retrieval_chunk"),
        HospitalRows("retrieval_corpusstate"),
        HospitalRows("retrieval_ingestionrun"),
        HospitalRows("retrieval_ingestionitem"),
        HospitalRows("retrieval_contentcategory"),
        HospitalRows("retrieval_categorykeyword"),
        HospitalRows("retrieval_steeringroute"),
        HospitalRows("retrieval_affinitycell"),
        HospitalRows("retrieval_categoryfilter"),
        HospitalRows("retrieval_entitykindboost"),
        HospitalRows("retrieval_unitphrase"),
        HospitalRows("retrieval_retrievalsetting"),
        HospitalRows("retrieval_categorymismatch"),
        SameHospital("retrieval_document", "original_id", "retrieval_original"),
        SameHospital("retrieval_chunk", "document_id", "retrieval_document"),
        SameHospital("retrieval_ingestionitem", "run_id", "retrieval_ingestionrun"),
        SameHospital("retrieval_ingestionitem", "document_id", "retrieval_document"),
    ]
