package io.github.ratelimit.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.RedisProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A thousand streams on four instances, each in a JVM of its own, of which one is killed.
 */
@Tag("slow")
@ExtendWith(FaultTable.class)
class StreamsIT {

	private static final int INSTANCES = 4;

	private static final int PERMITS = 1_000_000;

	private final List<Path> files = IntStream.range(0, INSTANCES)
		.mapToObj((instance) -> Path.of("target", "streams-" + instance))
		.toList();

	@Test
	void chargesWhatStreamsUsedAndNoMoreThanTheEstimatesOfTheDead(Rows table) throws Exception {
		try (RedisProcess redis = RedisProcess.start()) {
			List<Jvm> instances = start(redis.port());
			Timing.until(Duration.ofSeconds(60),
					() -> streams(0).values().stream().filter(StreamsIT::hasEnded).count() > 40);
			instances.get(0).close();
			instances.subList(1, INSTANCES).forEach(Jvm::join);
			List<Paid> dead = paid(redis.port(), 0, 1);
			List<Paid> living = paid(redis.port(), 1, INSTANCES);
			table.add("33 1000 streams reserve an estimate on 4 instances, one of which is killed",
					"streams of the living pay what they used, once; each of the dead its estimate or what it used",
					totals(living) + "; of the dead " + totals(dead));
			assertThat(living).hasSize((INSTANCES - 1) * StreamingInstance.STREAMS)
				.allSatisfy((paid) -> assertThat(paid.charged()).isEqualTo(paid.stream().used()));
			assertThat(dead).anySatisfy((paid) -> assertThat(hasEnded(paid.stream())).isFalse())
				.allSatisfy((paid) -> assertThat(paid.charged()).isIn(paid.stream().estimate(), paid.used()));
		}
	}

	private List<Paid> paid(int port, int from, int to) {
		try (ConfigurableApplicationContext context = application(port)) {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			return IntStream.range(from, to)
				.boxed()
				.flatMap((instance) -> streams(instance).entrySet().stream())
				.map((stream) -> new Paid(stream.getValue(), charged(limiter, stream.getKey())))
				.toList();
		}
	}

	private static String totals(List<Paid> all) {
		return all.stream().mapToLong(Paid::charged).sum() + " charged of " + all.stream().mapToLong(Paid::used).sum()
				+ " used by " + all.size() + " streams, "
				+ all.stream().filter((paid) -> !hasEnded(paid.stream())).count() + " of them open";
	}

	private List<Jvm> start(int port) throws Exception {
		List<Jvm> instances = new ArrayList<>();
		for (int i = 0; i < INSTANCES; i++) {
			Files.deleteIfExists(this.files.get(i));
			instances.add(Jvm.run("256m", StreamingInstance.class, port, i, this.files.get(i)));
		}
		instances.forEach(Jvm::awaitReady);
		instances.forEach(Jvm::go);
		return instances;
	}

	private Map<Integer, StreamingInstance.Stream> streams(int instance) {
		return StreamingInstance.Stream.of(this.files.get(instance));
	}

	private static boolean hasEnded(StreamingInstance.Stream stream) {
		return stream.used() != null;
	}

	private static long charged(RateLimiter limiter, int id) {
		return PERMITS - limiter.peek(List.of(new Charge("tokens", "expression:" + id, 0))).limits().get(0).remaining();
	}

	private static ConfigurableApplicationContext application(int port) {
		return new SpringApplicationBuilder(Reader.class).web(WebApplicationType.NONE)
			.properties(StreamingInstance.POLICY)
			.properties("spring.data.redis.port=" + port, "ratelimit.redis.timeout=5s")
			.run();
	}

	/** A stream, and what it was charged in the end. */
	private record Paid(StreamingInstance.Stream stream, long charged) {

		long used() {
			return Objects.requireNonNullElse(this.stream.used(), 0L);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Reader {

	}

}
