package io.github.ratelimit.spring.stomp;

import io.github.ratelimit.redis.CountsInRedis;
import org.junit.jupiter.api.Tag;

@Tag("long")
class StompMessageDoorIT extends StompMessageDoorTests implements CountsInRedis {

}
