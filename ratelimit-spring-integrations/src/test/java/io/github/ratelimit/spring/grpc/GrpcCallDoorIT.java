package io.github.ratelimit.spring.grpc;

import io.github.ratelimit.redis.CountsInRedis;
import org.junit.jupiter.api.Tag;

@Tag("long")
class GrpcCallDoorIT extends GrpcCallDoorTests implements CountsInRedis {

}
