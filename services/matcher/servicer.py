"""The gRPC servicer of MatcherService: decode, call the matcher, encode."""

from __future__ import annotations

from typing import Any

import grpc.aio
from dbdiag.matcher.v1 import matcher_pb2 as pb
from dbdiag.matcher.v1 import matcher_pb2_grpc

from services.matcher.matcher import Matcher
from services.matcher.model import LikenRequest, MatchPhenomenaRequest, SearchPhenomenaRequest
from services.matcher.wire import from_wire, to_wire

Context = grpc.aio.ServicerContext[Any, Any]


class MatcherServicer(matcher_pb2_grpc.MatcherServiceServicer):
    """Serves one Matcher over gRPC."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher

    def add_to(self, server: grpc.aio.Server) -> None:
        """Registers this servicer."""
        matcher_pb2_grpc.add_MatcherServiceServicer_to_server(self, server)

    async def MatchPhenomena(self, request: pb.MatchPhenomenaRequest, context: Context) -> pb.MatchPhenomenaResponse:
        answer = await self._matcher.match(from_wire(request, MatchPhenomenaRequest))
        return to_wire(answer, pb.MatchPhenomenaResponse)

    async def SearchPhenomena(self, request: pb.SearchPhenomenaRequest, context: Context) -> pb.SearchPhenomenaResponse:
        answer = await self._matcher.search(from_wire(request, SearchPhenomenaRequest))
        return to_wire(answer, pb.SearchPhenomenaResponse)

    async def Liken(self, request: pb.LikenRequest, context: Context) -> pb.LikenResponse:
        return to_wire(await self._matcher.liken(from_wire(request, LikenRequest)), pb.LikenResponse)
