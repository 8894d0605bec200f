package io.github.ratelimit.spring.ai;

import io.github.ratelimit.redis.CountsInRedis;
import org.junit.jupiter.api.Tag;

@Tag("long")
class ModelStreamDoorIT extends ModelStreamDoorTests implements CountsInRedis {

}
