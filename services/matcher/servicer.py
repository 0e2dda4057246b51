"""The gRPC servicer of MatcherService: decode, call the matcher, encode."""

from __future__ import annotations

from typing import Any

import grpc.aio
from dbdiag.matcher.v1 import matcher_pb2 as pb
from dbdiag.matcher.v1 import matcher_pb2_grpc

from services.matcher import wire
from services.matcher.matcher import Matcher

Context = grpc.aio.ServicerContext[Any, Any]


class MatcherServicer(matcher_pb2_grpc.MatcherServiceServicer):
    """Serves one Matcher over gRPC."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher

    def add_to(self, server: grpc.aio.Server) -> None:
        """Registers this servicer."""
        matcher_pb2_grpc.add_MatcherServiceServicer_to_server(self, server)

    async def MatchPhenomena(self, request: pb.MatchPhenomenaRequest, context: Context) -> pb.MatchPhenomenaResponse:
        """See the contract."""
        return wire.match_answer_to_wire(await self._matcher.match(wire.match_request_from_wire(request)))

    async def SearchPhenomena(self, request: pb.SearchPhenomenaRequest, context: Context) -> pb.SearchPhenomenaResponse:
        """See the contract."""
        return wire.search_answer_to_wire(await self._matcher.search(wire.search_request_from_wire(request)))
