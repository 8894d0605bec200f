package io.github.ratelimit.spring.ai;

import io.github.ratelimit.redis.CountsInRedis;

class ModelStreamDoorIT extends ModelStreamDoorTests implements CountsInRedis {

}
