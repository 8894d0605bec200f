package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Clients that call instances over HTTP, each a while after the response before. They
 * count all responses, and record admissions and the calls of keys that operators ban.
 */
final class ChaosLoad implements AutoCloseable {

	/** The keys that operators ban and let through again. */
	static final List<String> BANNED = List.of("banned-0", "banned-1", "banned-2", "banned-3");

	private static final List<String> KEYS = List.of("key-0", "key-1", "key-2", "key-3", "key-4", "key-5");

	private static final List<String> POLICIES = List.of("strict", "share", "open", "slots");

	private static final int THREADS = 16;

	private static final Pattern PERMITS = Pattern.compile(";q=(\\d+)");

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();

	private final Queue<ChaosCall> recorded = new ConcurrentLinkedQueue<>();

	private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

	private final HttpClient client;

	private final List<ChaosInstance> instances;

	private final List<Thread> threads;

	private volatile boolean ended;

	private ChaosLoad(HttpClient client, List<ChaosInstance> instances, long seed) {
		this.client = client;
		this.instances = instances;
		this.threads = IntStream.range(0, THREADS)
			.mapToObj((thread) -> new Thread(() -> run(new Random(seed + thread)), "chaos-" + thread))
			.toList();
	}

	static ChaosLoad on(HttpClient client, List<ChaosInstance> instances, long seed) {
		ChaosLoad load = new ChaosLoad(client, instances, seed);
		load.threads.forEach(Thread::start);
		return load;
	}

	/** Returns the numbers of responses by policy and outcome. */
	Map<String, Long> outcomes() {
		Map<String, Long> numbers = new TreeMap<>();
		this.outcomes.forEach((outcome, number) -> numbers.put(outcome, number.sum()));
		return numbers;
	}

	/** Returns the recorded calls. */
	List<ChaosCall> recorded() {
		return List.copyOf(this.recorded);
	}

	/** Returns why calls failed otherwise than by a response. */
	List<Throwable> failures() {
		return List.copyOf(this.failures);
	}

	@Override
	public void close() {
		this.ended = true;
		this.threads.forEach(Timing::join);
	}

	private void run(Random random) {
		try {
			while (!this.ended) {
				add(call(random));
				Timing.sleep(Duration.ofMillis(10 + random.nextInt(20)));
			}
		}
		catch (RuntimeException | AssertionError ex) {
			this.failures.add(ex);
		}
	}

	private void add(ChaosCall call) {
		this.outcomes.computeIfAbsent(call.policy() + ' ' + call.outcome(), (missing) -> new LongAdder()).increment();
		boolean isRate = !call.policy().equals("slots") && call.status() == 200 && call.permits() > 0;
		if (isRate || BANNED.contains(call.key())) {
			this.recorded.add(call);
		}
	}

	private ChaosCall call(Random random) {
		String policy = one(POLICIES, random);
		String key = policy.equals("slots") ? ChaosInstance.SLOT : one(KEYS, random);
		if (policy.equals("share") && random.nextInt(4) == 0) {
			key = one(BANNED, random);
		}
		int instance = random.nextInt(this.instances.size());
		long begin = System.nanoTime();
		HttpResponse<Void> response = send(this.instances.get(instance).port(), policy, key);
		Matcher permits = PERMITS.matcher(response.headers().firstValue("RateLimit-Policy").orElse(""));
		return new ChaosCall(instance, policy, key, response.statusCode(),
				permits.find() ? Long.parseLong(permits.group(1)) : 0, begin, System.nanoTime());
	}

	private static String one(List<String> choices, Random random) {
		return choices.get(random.nextInt(choices.size()));
	}

	private HttpResponse<Void> send(int port, String policy, String key) {
		try {
			HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + policy))
				.header("X-Key", key)
				.timeout(PATIENCE)
				.build();
			return this.client.send(request, BodyHandlers.discarding());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
