"""The compiled accelerator of the engine; optional and registered in app.py. See the README."""
