"""Sources of answers: pages, published data and curated answers."""
