package io.github.ratelimit.kotlin

import io.github.ratelimit.redis.CountsInRedis

class SuspendFunctionDoorIT : SuspendFunctionDoorTests(), CountsInRedis
