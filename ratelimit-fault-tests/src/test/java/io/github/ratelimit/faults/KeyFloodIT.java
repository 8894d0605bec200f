package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.faults.KeyFlood.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A memory store with 100,000 counts in 256 MB under a flood of keys that call once each.
 */
@Tag("long")
@ExtendWith(FaultTable.class)
class KeyFloodIT {

	private static final String PROMISE = "heap at most 40 MB above; no caller above its limit; at most 1 % of newcomers'"
			+ " calls denied; p99 at most 1 ms";

	/** Exact logs of 13 million charges take more than 256 MB. */
	private static final int LOGS = 1300;

	@Test
	void keepsItsPromisesUnderAFloodOfKeys(Rows table) {
		flood(500_000, table);
	}

	@Test
	@Tag("slow")
	void keepsItsPromisesUnderAFloodOfFiveMillionKeys(Rows table) {
		flood(5_000_000, table);
	}

	@Test
	void survivesAFloodOfCallersWhoFillSlidingWindowLogs(Rows table) throws IOException {
		Path file = Path.of("target", "log-flood");
		Files.deleteIfExists(file);
		try (Jvm jvm = Jvm.run("256m", LogFlood.class, LOGS, file)) {
			jvm.join();
		}
		assertThat(file).hasContent(Long.toString(LOGS * LogFlood.PERMITS));
		table.add("26 " + LOGS + " callers fill logs of " + LogFlood.PERMITS + " in the memory store",
				"every call within its limit is admitted", LOGS * LogFlood.PERMITS + " calls, all admitted");
	}

	private static void flood(int keys, Rows table) {
		Result result = run(keys, 1);
		String figures = String.format(Locale.ROOT,
				"heap %.1f MB above; at most %d of %d admitted; %d of %d newcomers' calls denied; p99 %.3f ms",
				result.grown() / 1e6, result.mostAdmitted(), KeyFlood.BURST, result.newcomerDenials(),
				result.newcomerCalls(), result.p99() / 1e6);
		assertThat(result.grown()).as(figures).isLessThanOrEqualTo(40_000_000);
		assertThat(result.mostAdmitted()).as(figures).isLessThanOrEqualTo(KeyFlood.BURST);
		assertThat(result.newcomerDenials()).as(figures).isLessThanOrEqualTo(result.newcomerCalls() / 100);
		assertThat(result.p99()).as(figures).isLessThanOrEqualTo(1_000_000);
		table.add("26 " + keys + " keys flood the memory store", PROMISE, figures);
	}

	private static Result run(int keys, int callsPerKey) {
		Path file = Path.of("target", "key-flood-" + keys + "-" + callsPerKey);
		try (Jvm jvm = Jvm.run("256m", KeyFlood.class, keys, callsPerKey, file)) {
			jvm.join();
			return Result.of(Files.readString(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
