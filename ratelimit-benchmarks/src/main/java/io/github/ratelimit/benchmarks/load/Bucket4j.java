package io.github.ratelimit.benchmarks.load;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;

/**
 * Bucket4j on Lettuce, which compares and swaps. A bucket is kept for each key, as its
 * batches are made within one.
 */
final class Bucket4j implements Contender {

	static final String BATCHING = "Bucket4j, batching";

	private final String name;

	private final @Nullable Optimization optimization;

	private final RedisClient client;

	private final ProxyManager<byte[]> manager;

	private final AsyncProxyManager<byte[]> asyncManager;

	private final Map<String, BucketProxy> buckets = new ConcurrentHashMap<>();

	private final Map<String, AsyncBucketProxy> asyncBuckets = new ConcurrentHashMap<>();

	private Function<String, BucketProxy> newBucket = (key) -> {
		throw new IllegalStateException("Not prepared");
	};

	private Function<String, AsyncBucketProxy> newAsyncBucket = (key) -> {
		throw new IllegalStateException("Not prepared");
	};

	private Bucket4j(String name, int port, @Nullable Optimization optimization) {
		this.name = name;
		this.optimization = optimization;
		this.client = RedisClient.create(RedisURI.create("127.0.0.1", port));
		this.manager = Bucket4jLettuce.casBasedBuilder(this.client)
			.expirationAfterWrite(
					ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(10)))
			.build();
		this.asyncManager = this.manager.asAsync();
	}

	static Bucket4j plain(int port) {
		return new Bucket4j("Bucket4j", port, null);
	}

	static Bucket4j batching(int port) {
		return new Bucket4j(BATCHING, port, Optimizations.batching());
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void prepare(Scenario scenario) {
		BucketConfiguration limits = BucketConfiguration.builder()
			.addLimit((limit) -> limit.capacity(scenario.burst()).refillGreedy(1, scenario.refill()))
			.build();
		this.newBucket = (key) -> bucket(key, limits);
		this.newAsyncBucket = (key) -> asyncBucket(key, limits);
		this.buckets.clear();
		this.asyncBuckets.clear();
	}

	@Override
	public boolean acquire(String key) {
		return this.buckets.computeIfAbsent(key, this.newBucket).tryConsumeAndReturnRemaining(1).isConsumed();
	}

	@Override
	public CompletionStage<Boolean> acquireAsync(String key) {
		return this.asyncBuckets.computeIfAbsent(key, this.newAsyncBucket)
			.tryConsumeAndReturnRemaining(1)
			.thenApply(ConsumptionProbe::isConsumed);
	}

	@Override
	public void close() {
		this.client.shutdown(0, 1, TimeUnit.SECONDS);
	}

	private BucketProxy bucket(String key, BucketConfiguration limits) {
		var builder = this.manager.builder();
		return ((this.optimization != null) ? builder.withOptimization(this.optimization) : builder).build(bytes(key),
				() -> limits);
	}

	private AsyncBucketProxy asyncBucket(String key, BucketConfiguration limits) {
		var builder = this.asyncManager.builder();
		return ((this.optimization != null) ? builder.withOptimization(this.optimization) : builder).build(bytes(key),
				() -> CompletableFuture.completedFuture(limits));
	}

	private static byte[] bytes(String key) {
		return ("bucket4j:" + key).getBytes(StandardCharsets.US_ASCII);
	}

}
