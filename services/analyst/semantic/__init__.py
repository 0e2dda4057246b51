"""The semantic layer of a dataset: metrics, dimensions, joins and time, as people write them in YAML."""
