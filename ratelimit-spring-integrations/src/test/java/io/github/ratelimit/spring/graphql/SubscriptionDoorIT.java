package io.github.ratelimit.spring.graphql;

import io.github.ratelimit.redis.CountsInRedis;

class SubscriptionDoorIT extends SubscriptionDoorTests implements CountsInRedis {

}
