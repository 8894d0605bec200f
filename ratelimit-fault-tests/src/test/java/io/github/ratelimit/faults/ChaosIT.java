package io.github.ratelimit.faults;

/**
 * A chaos on Redis.
 */
class ChaosIT extends ChaosContract {

	ChaosIT() {
		super("34 Redis crashes, hangs, cuts connections, is full and forgets scripts");
	}

	@Override
	ChaosServer server() {
		return new ChaosRedis();
	}

}
