"""Blobs in an S3-compatible store: one object per blob. The extra `s3` brings boto3, which finds the credentials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from services.chassis.errors import InvalidInput, Precondition
from services.chassis.messages import Message
from services.knowledge.blobs.port import failed, missing_extra, unreachable

try:
    import boto3
    import botocore.config
    import botocore.exceptions
except ImportError as _error:
    raise missing_extra("s3", _error) from _error

_OPTIONS = {"endpoint", "region"}
# Creating this blob twice shows whether the store supports conditional writes.
_PROBE = "conditional-writes"
_DEFAULT_REGION = "us-east-1"
_SECONDS = 10
_ABSENT = {"404", "NoSuchKey", "NotFound"}
_THERE = {"412", "PreconditionFailed"}
_MEANWHILE = {"409", "ConditionalRequestConflict"}
Result = TypeVar("Result")


class S3Blobs:
    """See BlobStore. `create` is a conditional write (If-None-Match), which every publisher goes through."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        options = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.username or parts.password or not parts.hostname or not options.keys() <= _OPTIONS:
            raise InvalidInput("invalid_setting.s3_url")
        self._bucket = parts.netloc
        self._prefix = f"{parts.path.strip('/')}/" if parts.path.strip("/") else ""
        self.place = f"s3://{self._bucket}/{self._prefix}".rstrip("/")
        self._options = options
        self._opened: Any = None
        self._knows_conditions = False

    def read(self, name: str) -> bytes | None:
        try:
            return self._asked(
                lambda s3: bytes(s3.get_object(Bucket=self._bucket, Key=self._prefix + name)["Body"].read())
            )
        except botocore.exceptions.ClientError as error:
            if _code(error) in _ABSENT:
                return None
            raise unreachable(self.place, failed("blob_failure.reading", _code(error), name)) from error

    def write(self, name: str, content: bytes) -> None:
        self._put(name, content)

    def create(self, name: str, content: bytes) -> bool:
        """See BlobStore. Raises Precondition for a store that would let two publishers write over each other."""
        if not self._knows_conditions:
            # The first call may fail because an earlier process created the blob.
            self._create(_PROBE, b"")
            if self._create(_PROBE, b""):
                raise Precondition("no_conditional_writes", place=self.place)
            self._knows_conditions = True
        return self._create(name, content)

    def _create(self, name: str, content: bytes) -> bool:
        while True:
            try:
                self._put(name, content, IfNoneMatch="*")
                return True
            except _Refused as refused:
                if refused.code in _THERE:
                    return False
                if refused.code not in _MEANWHILE:
                    raise unreachable(self.place, failed("blob_failure.writing", refused.code, name)) from refused

    def remove(self, name: str) -> None:
        try:
            self._asked(lambda s3: s3.delete_object(Bucket=self._bucket, Key=self._prefix + name))
        except botocore.exceptions.ClientError as error:
            raise unreachable(self.place, failed("blob_failure.removing", _code(error), name)) from error

    def names(self, prefix: str = "") -> list[str]:

        def listed(s3: Any) -> list[str]:
            pages = s3.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket, Prefix=self._prefix + prefix, Delimiter="/"
            )
            return [str(found["Key"]) for page in pages for found in page.get("Contents", ())]

        try:
            return sorted(key.removeprefix(self._prefix) for key in self._asked(listed))
        except botocore.exceptions.ClientError as error:
            raise unreachable(self.place, failed("blob_failure.listing", _code(error))) from error

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()
        self._opened = None

    def _put(self, name: str, content: bytes, **conditions: str) -> None:
        try:
            self._asked(
                lambda s3: s3.put_object(Bucket=self._bucket, Key=self._prefix + name, Body=content, **conditions)
            )
        except botocore.exceptions.ClientError as error:
            if conditions:
                raise _Refused(_code(error)) from error
            raise unreachable(self.place, failed("blob_failure.writing", _code(error), name)) from error

    def _asked(self, ask: Callable[[Any], Result]) -> Result:
        """The result of a call. A failure without an answer is reported without the content of the request."""
        try:
            if self._opened is None:
                self._opened = self._client()
            return ask(self._opened)
        except botocore.exceptions.NoCredentialsError as error:
            raise unreachable(self.place, Message("blob_failure.no_credentials")) from error
        except botocore.exceptions.ClientError:
            raise
        except botocore.exceptions.BotoCoreError as error:
            raise unreachable(self.place, type(error).__name__) from error
        except ValueError as error:
            raise unreachable(self.place, Message("blob_failure.endpoint")) from error

    def _client(self) -> Any:
        config = botocore.config.Config(
            connect_timeout=_SECONDS,
            read_timeout=_SECONDS,
            retries={"max_attempts": 3, "mode": "standard"},
            # Stores other than Amazon's support neither the newer checksums nor buckets as host names.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            s3={"addressing_style": "path"} if "endpoint" in self._options else None,
        )
        session = boto3.session.Session()
        return session.client(
            "s3",
            endpoint_url=self._options.get("endpoint"),
            region_name=self._options.get("region") or session.region_name or _DEFAULT_REGION,
            config=config,
        )


class _Refused(Exception):
    """The store refused a conditional write."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _code(error: botocore.exceptions.ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", "unknown"))
