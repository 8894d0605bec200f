package io.github.ratelimit.gateway.webflux;

import io.github.ratelimit.redis.CountsInRedis;

class PolicyRateLimiterDoorIT extends PolicyRateLimiterDoorTests implements CountsInRedis {

}
