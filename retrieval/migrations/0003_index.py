"""The index of chunks: its tables, and the functions that alone may touch them."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent.parent / "index" / "sql"

#: Newest first: what a function returns or reads goes after the function.
FUNCTIONS = (
    "zol_search zol_keyword zol_bm25 zol_lock_index zol_index_dimensions zol_stage_swap "
    "zol_stage_lacking zol_stage_vector "
    "zol_stage_begin zol_document_changed zol_chunk_switched zol_set_findable zol_chunks_truncated "
    "zol_chunks_deleted zol_analyze_index zol_drop_graph zol_build_graph zol_pin_impacts "
    "zol_index_terms zol_index_vector zol_remove_chunks zol_forget_chunks zol_count_vectors "
    "zol_forget_terms zol_drop_index zol_prepare_index zol_index_lock "
    "zol_frequency zol_impact zol_terms_of zol_served"
).split()
DROP = [
    "DROP TRIGGER zol_chunks_deleted ON retrieval_chunk",
    "DROP TRIGGER zol_chunks_truncated ON retrieval_chunk",
    "DROP TRIGGER zol_chunk_switched ON retrieval_chunk",
    "DROP TRIGGER zol_document_changed ON retrieval_document",
    *(f"DROP FUNCTION IF EXISTS {name}" for name in FUNCTIONS),
    "DROP TABLE retrieval_vector, retrieval_posting, retrieval_term, retrieval_lane, "
    "retrieval_vectorcount, retrieval_vectorstate",
]


def script(name: str) -> str:
    return (SQL / f"{name}.sql").read_text(encoding="utf-8")


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0002_row_security")]

    operations = [
        # Loads the extension's library, so that its settings may be set by an owner that is no superuser.
        migrations.RunSQL("SELECT '[1]'::vector", migrations.RunSQL.noop),
        migrations.RunSQL([script("tables")], DROP),
        *(
            migrations.RunSQL([script(name)], migrations.RunSQL.noop)
            for name in ("writing", "staging", "search")
        ),
    ]
