package io.github.ratelimit.spring.graphql;

import io.github.ratelimit.redis.CountsInRedis;

class QueryDoorIT extends QueryDoorTests implements CountsInRedis {

}
