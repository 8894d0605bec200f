package io.github.ratelimit.spring.ai;

import io.github.ratelimit.redis.CountsInRedis;

class ModelCallDoorIT extends ModelCallDoorTests implements CountsInRedis {

}
