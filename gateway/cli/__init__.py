"""The `dbdiag` command: one file a verb, loaded when the verb is used."""
