"""`dbdiag diagnose`, `collect` and `report`: an investigation of a live target from the command line."""
