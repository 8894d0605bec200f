package io.github.ratelimit.spring.grpc;

import io.github.ratelimit.redis.CountsInRedis;

class GrpcCallDoorIT extends GrpcCallDoorTests implements CountsInRedis {

}
