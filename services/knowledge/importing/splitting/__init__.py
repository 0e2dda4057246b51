"""Free text split into observed anomalies."""
