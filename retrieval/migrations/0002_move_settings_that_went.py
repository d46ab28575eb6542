"""Settings that are constants now: what a hospital changed is kept for staff to read."""

from django.db import migrations

GONE = (
    'rrf_k', 'base_decay', 'base_sharpness', 'fuse_by_rank', 'dense_spread', 'dense_spread_gain',
    'keyword_doubt', 'exact_share', 'escalated_candidates', 'rerank_candidates', 'other_kinds',
    'skim_voice', 'likeness_voice', 'category_voice', 'entity_kind_voice', 'language_voice',
    'answer_form_voice', 'content_keywords_voice', 'people_voice', 'places_voice', 'details_voice',
    'opening_boost', 'length_voice', 'navigational_up', 'navigational_down', 'recency_days',
    'language_boost', 'answer_form_boost', 'keyword_step_short', 'keyword_step_medium',
    'keyword_step_long', 'tier_2_boost', 'model_understanding', 'certain_from',
    'gate_min_dense_results', 'gate_low_similarity', 'crag_like', 'crag_unlike', 'crag_cover',
    'crag_uncovered', 'cache_overlap', 'neighbour_factor', 'primary_top',
)  # fmt: skip
MOVE = """
WITH gone AS (
    DELETE FROM retrieval_retrievalsetting WHERE name = ANY (%s) RETURNING hospital_id, name, value
)
INSERT INTO zol_gonerow (hospital_id, row_set, "values")
SELECT hospital_id, 'retrieval.retrievalsetting', jsonb_build_object('name', name, 'value', value)
FROM gone
"""


class Migration(migrations.Migration):

    dependencies = [
        ('retrieval', '0001_initial'),
        ('zol', '0002_gonerow'),
    ]

    operations = [
        migrations.RunSQL([(MOVE, [list(GONE)])]),
    ]
