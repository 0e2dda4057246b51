"""The words of the field for those who are no DBA: what each term is, and which sentences ask for that."""
