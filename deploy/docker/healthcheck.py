"""Health check of this container's service: gRPC health if DBDIAG_BIND is set, else the gateway's /healthz."""

from __future__ import annotations

import os
import sys
import urllib.request

SECONDS = 2.0


def main() -> int:
    """Returns 0 if it is serving, 1 if not."""
    bind = os.environ.get("DBDIAG_BIND")
    try:
        return 0 if (_grpc_is_serving(bind) if bind else _http_is_well()) else 1
    except Exception as error:
        print(f"health: {error}", file=sys.stderr)
        return 1


def _grpc_is_serving(bind: str) -> bool:
    import grpc
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    address = f"127.0.0.1:{bind.rsplit(':', 1)[1]}" if not bind.startswith("unix:") else bind
    with grpc.insecure_channel(address) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check  # type: ignore[attr-defined]
        reply = check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
    return bool(reply.status == health_pb2.HealthCheckResponse.SERVING)


def _http_is_well() -> bool:
    url = f"http://127.0.0.1:{os.environ.get('DBDIAG_PORT', '8080')}/healthz"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=SECONDS) as response:
        return bool(response.status == 200)


if __name__ == "__main__":
    sys.exit(main())
