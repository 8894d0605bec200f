package io.github.ratelimit.benchmarks.load;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Several instances of this starter in one process, each with a connection of its own. A
 * random one decides each call.
 *
 * @param instances the instances
 */
record Several(List<Ours> instances) implements Contender {

	static final int COUNT = 16;

	static final String NAME = COUNT + " instances";

	static Several on(int port) {
		return new Several(Stream.generate(() -> Ours.standard(port)).limit(COUNT).toList());
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public void prepare(Scenario scenario) {
		this.instances.forEach((instance) -> instance.prepare(scenario));
	}

	@Override
	public boolean acquire(String key) {
		return any().acquire(key);
	}

	@Override
	public CompletionStage<Boolean> acquireAsync(String key) {
		return any().acquireAsync(key);
	}

	@Override
	public void close() {
		this.instances.forEach(Ours::close);
	}

	private Ours any() {
		return this.instances.get(ThreadLocalRandom.current().nextInt(COUNT));
	}

}
