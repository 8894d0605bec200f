package io.github.ratelimit.benchmarks.load;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import io.github.ratelimit.benchmarks.report.Report;
import io.github.ratelimit.redis.RedisProcess;

/**
 * All contenders on one Redis.
 */
final class RedisRun {

	private final Settings settings;

	private final Report report;

	RedisRun(Settings settings, Report report) {
		this.settings = settings;
		this.report = report;
	}

	void run() {
		Results results = results();
		List<Footprint> footprints = footprints();
		Tables tables = new Tables(results, Load.ALL);
		this.report.part("redis", tables.markdown(Scenario.UNDER_LOAD));
		this.report.part("bars", Bar.table(new RedisBars(results).all()).toString());
		this.report.part("memory", Footprint.table(footprints).toString());
		this.report.part("sizing", new Sizing(results, footprints).table().toString());
		Scenario.UNDER_LOAD.forEach((scenario) -> this.report.picture(scenario.slug(), tables.chart(scenario).svg()));
	}

	private Results results() {
		try (RedisProcess redis = RedisProcess.start()) {
			Measurement measurement = new Measurement(MeasuredServer.of(List.of(redis)), this.settings.warmUp(),
					this.settings.time());
			List<Contender> contenders = contenders(redis.port());
			List<Turn> turns = contenders.stream().map((contender) -> new Turn(measurement, contender)).toList();
			Results results = new Rounds(this.settings, this.report).run(turns, Scenario.UNDER_LOAD, Load.ALL);
			contenders.forEach(Contender::close);
			return results;
		}
	}

	private List<Footprint> footprints() {
		try (RedisProcess redis = RedisProcess.start()) {
			List<Contender> contenders = contenders(redis.port());
			List<Footprint> footprints = new KeyMemory(redis).of(contenders);
			contenders.forEach(Contender::close);
			return footprints;
		}
	}

	/** Returns the contenders that take part. */
	private List<Contender> contenders(int port) {
		return Stream
			.<IntFunction<Contender>>of(RawLettuce::plain, RawLettuce::consolidated, Ours::standard,
					Ours::withoutShortcuts, Ours::prefetching, Template::new, ReactiveTemplate::gcra, Bucket4j::plain,
					Bucket4j::batching, ReactiveTemplate::gateway, Redisson::new)
			.map((contender) -> contender.apply(port))
			.filter(this::takesPart)
			.toList();
	}

	private boolean takesPart(Contender contender) {
		if (this.settings.measures(contender.name())) {
			return true;
		}
		contender.close();
		return false;
	}

}
