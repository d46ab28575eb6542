"""The laboratory: training, benchmarks and exams. It imports the product, never the reverse."""
