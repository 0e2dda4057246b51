"""A real S3-compatible server on loopback: moto's, as a process of its own that ends with the block."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

_SERVER = """
import sys
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server
server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app), threaded=False)
print(server.server_port, flush=True)
server.serve_forever()
"""
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "AKIATESTTESTTESTTEST", "AWS_SECRET_ACCESS_KEY": "s3-secret-of-the-tests"}


@contextlib.contextmanager
def s3() -> Iterator[str]:
    """Runs a server with one bucket, `snapshots`, until the block ends; the value is its endpoint."""
    for package in ("moto", "boto3", "flask_cors"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"the package {package} is not installed")
    environ = {**os.environ, **CREDENTIALS, "PYTHONWARNINGS": "ignore"}
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environ
    )
    try:
        assert process.stdout is not None
        endpoint = f"http://127.0.0.1:{process.stdout.readline().strip()}"
        with _shared_definitions():
            _make_bucket(endpoint)
            yield endpoint
    finally:
        process.terminate()
        process.wait(20)
        if process.stdout is not None:
            process.stdout.close()


@contextlib.contextmanager
def _shared_definitions() -> Iterator[None]:
    """Lets all clients share what boto3 knows of S3: parsing it for each costs more than what tests ask them."""
    import botocore.session
    from botocore.loaders import create_loader

    loader = create_loader()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(botocore.session, "create_loader", lambda *_: loader)
        yield


def _make_bucket(endpoint: str) -> None:
    import boto3

    client = boto3.client(
        "s3",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
    )
    client.create_bucket(Bucket="snapshots")
    client.close()
