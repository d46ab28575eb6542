"""Beside the rows of impacts, postings packed by word: the keyword lane reads less."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent.parent / "index" / "sql"

#: Every form that they had; a database that is made today has the newest of some already.
OLD = """
DO $$ DECLARE each regprocedure; BEGIN
    FOR each IN SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = 'public' AND p.proname IN ('zol_search', 'zol_keyword', 'zol_bm25') LOOP
        EXECUTE format('DROP FUNCTION %s', each);
    END LOOP;
END $$;
"""
#: The hospitals that are there already are packed now, not only after their next ingestion.
PACK = """
DO $$ DECLARE h bigint; served text := current_setting('zol.hospital', true); BEGIN
    FOR h IN SELECT s.hospital_id FROM retrieval_vectorstate s LOOP
        PERFORM set_config('zol.hospital', h::text, true);
        PERFORM zol_pack(0::smallint, 0), zol_pack(1::smallint, 0);
    END LOOP;
    PERFORM set_config('zol.hospital', coalesce(served, ''), true);
END $$;
"""
DROP = [
    "DROP FUNCTION IF EXISTS zol_search, zol_keyword, zol_bm25, zol_bm25_rows, zol_bm25_packed",
    "DROP TYPE IF EXISTS zol_asked",
    "DROP FUNCTION IF EXISTS zol_share, zol_ones, zol_pack, zol_with_changed",
    "ALTER TABLE retrieval_lane DROP COLUMN changed",
    "DROP TABLE retrieval_packed",
    "ALTER TABLE retrieval_chunk RESET (toast_tuple_target)",
]


def script(name: str) -> str:
    return (SQL / f"{name}.sql").read_text(encoding="utf-8")


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0007_look_up_each_word")]

    operations = [
        migrations.RunSQL(OLD, migrations.RunSQL.noop),
        migrations.RunSQL([script("packing")], DROP),
        *(
            migrations.RunSQL([script(name)], migrations.RunSQL.noop)
            for name in ("writing", "keyword", "search")
        ),
        migrations.RunSQL(PACK, migrations.RunSQL.noop),
    ]
