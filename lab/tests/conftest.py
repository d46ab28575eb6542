"""The product's services, databases and hospitals, for the laboratory's tests."""

pytest_plugins = ["tests.conftest"]
