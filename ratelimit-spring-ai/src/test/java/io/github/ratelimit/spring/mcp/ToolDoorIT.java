package io.github.ratelimit.spring.mcp;

import io.github.ratelimit.redis.CountsInRedis;

class ToolDoorIT extends ToolDoorTests implements CountsInRedis {

}
