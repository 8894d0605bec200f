package io.github.ratelimit.gateway.webflux;

import io.github.ratelimit.redis.CountsInRedis;

class RouteDoorIT extends RouteDoorTests implements CountsInRedis {

}
