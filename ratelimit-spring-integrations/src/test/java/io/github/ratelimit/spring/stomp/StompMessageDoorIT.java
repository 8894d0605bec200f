package io.github.ratelimit.spring.stomp;

import io.github.ratelimit.redis.CountsInRedis;

class StompMessageDoorIT extends StompMessageDoorTests implements CountsInRedis {

}
