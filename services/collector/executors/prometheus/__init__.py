"""Checks on a Prometheus server."""
