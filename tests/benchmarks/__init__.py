"""Of `evaluation.lab.benchmarks`: beside the tree, for they need the committed hospital, not the one that is rolled back."""
