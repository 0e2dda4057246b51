"""The team's tools: each does one thing on a dataset, knows no agent, and describes itself for function calling."""
