package io.github.ratelimit.benchmarks.jmh;

import java.util.concurrent.TimeUnit;

import io.github.ratelimit.store.shared.KeyHash;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The hash of a caller's key, which every call of the Redis store takes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyHashBenchmark {

	private final KeyHash hash = new KeyHash();

	private final byte[] target = new byte[KeyHash.LENGTH];

	/** A caller's key. */
	@Param({ "client-ip:192.0.2.1", "header:x-api-key:0b7e8c1a-3f5d-4c36-9a4e-5d2f6f0c1b7a-eu-west" })
	private String key = "";

	/**
	 * Hashes it.
	 * @return the hash
	 */
	@Benchmark
	public byte[] hash() {
		this.hash.write(this.key, this.target, 0);
		return this.target;
	}

}
