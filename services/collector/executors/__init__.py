"""Executors, which run checks: on PostgreSQL, MySQL, hosts, JVMs and Prometheus."""
