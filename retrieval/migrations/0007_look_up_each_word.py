"""The words of a question are looked up one by one, also where the planner has no statistics."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent.parent / "index" / "sql"

#: A database that is made today has the newest form already; making it again is harmless.
OLD = """
DO $$ DECLARE each regprocedure; BEGIN
    FOR each IN SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = 'public' AND p.proname IN ('zol_search', 'zol_keyword', 'zol_bm25') LOOP
        EXECUTE format('DROP FUNCTION %s', each);
    END LOOP;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("retrieval", "0006_statements")]

    operations = [
        migrations.RunSQL(OLD, migrations.RunSQL.noop),
        migrations.RunSQL((SQL / "search.sql").read_text(encoding="utf-8"), migrations.RunSQL.noop),
    ]
