package io.github.ratelimit.spring.graphql;

import io.github.ratelimit.redis.CountsInRedis;
import org.junit.jupiter.api.Tag;

@Tag("long")
class QueryDoorIT extends QueryDoorTests implements CountsInRedis {

}
