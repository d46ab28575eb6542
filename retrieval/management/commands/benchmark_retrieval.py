"""Measure retrieval on a test collection in BEIR's format, with the product's own index."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from retrieval.benchmarks import collections, quality
from retrieval.benchmarks.throwaway import throwaway_hospital
from retrieval.embedding import get_embedder
from retrieval.tuning import RetrievalTuning
from zol.commands import ensure_writable, write_json
from zol.errors import ExpectedError


class Command(BaseCommand):
    help = "Measures nDCG@10 and recall@100 of each lane in a hospital that is removed afterwards."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument("--lanes", default="keyword,dense,hybrid")
        parser.add_argument("--language", default="", help="of the documents; detected if left out")
        parser.add_argument(
            "--chunked", action="store_true", help="cut documents as ingestion does"
        )
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the report here")

    def handle(self, **options: Any) -> None:
        ensure_writable(options["json"])
        try:
            report = self.measure(**options)
        except ExpectedError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            write_json(options["json"], report)
        self.show(report)

    def measure(
        self, folder: Path, lanes: str, language: str, *, chunked: bool, **_: Any
    ) -> dict[str, Any]:
        wanted = [lane.strip() for lane in lanes.split(",") if lane.strip()]
        if unknown := set(wanted) - set(quality.LANES):
            raise CommandError(
                f"There is no lane {', '.join(sorted(unknown))}; "
                f"there are {', '.join(quality.LANES)}."
            )
        collection = collections.read(folder)
        language = language or collections.language_of(collection.documents)
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

    def show(self, report: dict[str, Any]) -> None:
        self.stdout.write(
            "{dataset}: {documents} documents, {queries} questions, {language}".format(**report)
        )
        self.stdout.write(
            f"{'lane':<10}{'nDCG@10':>10}{'recall@100':>12}{'p50 ms':>10}{'p95 ms':>10}"
        )
        for lane, row in report["lanes"].items():
            self.stdout.write(
                f"{lane:<10}{row['ndcg@10']:>10.3f}{row['recall@100']:>12.3f}"
                f"{row['p50_ms']:>10.2f}{row['p95_ms']:>10.2f}"
            )
