"""Checks on a host or a JVM, here or over SSH."""
