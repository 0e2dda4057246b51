"""The services of dbdiag, one package each; see docs/house.md."""
