package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.RateLimited;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * An instance in a JVM of its own, with streams that reserve an estimate and pay for what
 * they emitted. They complete, fail or are cancelled. It records when they begin and what
 * they used, so that nothing of that is lost if it is killed.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(StreamingInstance.Model.class)
class StreamingInstance {

	static final int STREAMS = 250;

	static final String[] POLICY = { "ratelimit.policies.tokens.limits=1000000/100d fixed-window",
			"ratelimit.redis.key-prefix=streams", "ratelimit.store=redis" };

	private static final int CONCURRENT = 32;

	/**
	 * Reports that it is ready, waits for a line, and runs its streams.
	 * @param arguments the port of Redis, the number of the instance, and the file to
	 * write
	 * @throws Exception never
	 */
	public static void main(String[] arguments) throws Exception {
		int first = Integer.parseInt(arguments[1]) * STREAMS;
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(StreamingInstance.class)
			.web(WebApplicationType.NONE)
			.properties(POLICY)
			.properties("spring.data.redis.port=" + arguments[0], "ratelimit.redis.timeout=5s",
					"logging.level.root=off", "test.record=" + arguments[2])
			.run()) {
			Model model = context.getBean(Model.class);
			Jvm.awaitGo();
			Flux.range(first, STREAMS).flatMap((id) -> stream(model, id), CONCURRENT).blockLast();
		}
	}

	private static Flux<Long> stream(Model model, int id) {
		Random random = new Random(id);
		Flux<Long> stream = model.complete(id, random.nextInt(500), random.nextInt(60), random.nextBoolean());
		return (random.nextInt(3) == 0) ? stream.take(random.nextInt(60) + 1).onErrorComplete()
				: stream.onErrorComplete();
	}

	/** A model whose answers are tokens. */
	static class Model {

		private final OutputStream record;

		Model(Environment environment) throws IOException {
			this.record = Files.newOutputStream(Path.of(environment.getRequiredProperty("test.record")));
		}

		/** Emits the tokens used so far. */
		@RateLimited(policy = "tokens", key = "#id", cost = "#estimate", actual = "#result ?: 0")
		Flux<Long> complete(int id, int estimate, int length, boolean fails) {
			AtomicLong used = new AtomicLong();
			Flux<Long> tokens = Flux.range(1, length).delayElements(Duration.ofMillis(10)).map((token) -> token * 7L);
			return (fails ? tokens.concatWith(Flux.error(new IllegalStateException("upstream"))) : tokens)
				.doOnNext(used::set)
				.doOnSubscribe((begin) -> write("b " + id + " " + estimate))
				.doFinally((end) -> write("e " + id + " " + used));
		}

		private void write(String line) {
			synchronized (this.record) {
				try {
					this.record.write((line + "\n").getBytes(StandardCharsets.UTF_8));
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}
		}

	}

	/**
	 * A stream.
	 *
	 * @param estimate what it reserved
	 * @param used what it used in the end; {@code null} if it has not ended
	 */
	record Stream(long estimate, @Nullable Long used) {

		/** Reads the streams of an instance by their numbers. */
		static Map<Integer, Stream> of(Path file) {
			Map<Integer, Stream> streams = new LinkedHashMap<>();
			try {
				for (String line : Files.readString(file).lines().toList()) {
					String[] words = line.split(" ", -1);
					Integer id = Integer.valueOf(words[1]);
					long value = Long.parseLong(words[2]);
					streams.merge(id, new Stream(value, null), (begun, ended) -> new Stream(begun.estimate, value));
				}
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			return streams;
		}

	}

}
