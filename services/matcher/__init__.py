"""Reads messages as statements about the phenomena of a snapshot, and asks what other words are like."""
