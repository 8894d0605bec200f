package io.github.ratelimit.kotlin

import io.github.ratelimit.redis.CountsInRedis
import org.junit.jupiter.api.Tag

@Tag("long")
class SuspendFunctionDoorIT : SuspendFunctionDoorTests(), CountsInRedis
