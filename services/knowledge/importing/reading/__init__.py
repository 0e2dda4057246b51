"""Reads exports of tickets: CSV, Excel and JSON with various encodings and headers."""
