"""The contracts as the gateway uses them: clients of the services, and the types of each contract."""
