"""Measure retrieval on a test collection in BEIR's format, with the product's own index."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from lab.benchmarks import quality
from lab.benchmarks.corpus import throwaway_hospital
from retrieval.embedding import get_embedder
from retrieval.tuning import RetrievalTuning
from zol.commands import Measuring


class Command(Measuring):
    help = "Measures nDCG@10 and recall@100 of each lane in a hospital that is removed afterwards."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument("--lanes", default="keyword,dense,hybrid")
        parser.add_argument("--language", default="", help="of the documents; detected if left out")
        parser.add_argument(
            "--chunked", action="store_true", help="cut documents as ingestion does"
        )

    def measure(
        self, folder: Path, lanes: str, language: str, *, chunked: bool, **_: Any
    ) -> dict[str, Any]:
        wanted = [lane.strip() for lane in lanes.split(",") if lane.strip()]
        if unknown := set(wanted) - set(quality.LANES):
            raise CommandError(
                f"There is no lane {', '.join(sorted(unknown))}; "
                f"there are {', '.join(quality.LANES)}."
            )
        collection = quality.read(folder)
        language = language or quality.language_of(collection.documents)
        embedder, tuning = get_embedder(), RetrievalTuning()
        with throwaway_hospital(language):
            self.fill(collection, embedder, language=language, chunked=chunked)
            stop_words = quality.function_words(collection, language)
            manner = quality.Manner(language, stop_words, tuning, is_chunked=chunked)
            measured = {}
            for lane in wanted:
                steps = quality.measure(collection, lane, embedder, manner)
                with tqdm(steps, desc=lane, total=len(collection.questions), disable=None) as bar:
                    reports = [report for report in bar if report is not None]
                measured[lane] = reports[-1].as_json()
        return {
            "dataset": collection.name,
            "language": language,
            "documents": len(collection.documents),
            "queries": len(collection.questions),
            "lanes": measured,
        }

    def fill(self, collection: Any, embedder: Any, *, language: str, chunked: bool) -> None:
        steps = quality.load(collection.documents, embedder, chunked=chunked, language=language)
        with tqdm(total=len(collection.documents), desc="indexing", disable=None) as bar:
            for more in steps:
                bar.update(more)

    def lines(self, report: Mapping[str, Any]) -> Iterator[str]:
        yield "{dataset}: {documents} documents, {queries} questions, {language}".format(**report)
        yield f"{'lane':<10}{'nDCG@10':>10}{'recall@100':>12}{'p50 ms':>10}{'p95 ms':>10}"
        for lane, row in report["lanes"].items():
            yield (
                f"{lane:<10}{row['ndcg@10']:>10.3f}{row['recall@100']:>12.3f}"
                f"{row['p50_ms']:>10.2f}{row['p95_ms']:>10.2f}"
            )
