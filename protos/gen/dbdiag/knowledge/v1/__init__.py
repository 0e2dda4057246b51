"""Generated from protos/ by `make proto`; not to be edited."""
