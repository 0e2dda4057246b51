"""Servers of other kinds that tests talk to, and a browser: real ones, on loopback or a socket."""
