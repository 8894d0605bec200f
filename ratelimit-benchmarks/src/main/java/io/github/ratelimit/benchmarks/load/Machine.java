package io.github.ratelimit.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The state of the machine at some time, to tell whether it had other work during a run.
 *
 * @param load the processes that ran or waited for a processor, on average over a minute
 * @param ticks the time of all processors
 * @param stolen the part of it that the host of a virtual machine gave to others
 */
record Machine(double load, long ticks, long stolen) {

	private static final Path USAGE = Path.of("/proc/stat");

	/** The column of stolen time. */
	private static final int STOLEN = 7;

	private static final double QUIET_LOAD = 0.5;

	private static final double QUIET_STEAL = 0.01;

	static Machine now() {
		long[] ticks = ticksByKind();
		return new Machine(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
				LongStream.of(ticks).sum(), (ticks.length > STOLEN) ? ticks[STOLEN] : 0);
	}

	/** Returns sentences about a run that began in this state and has ended. */
	String disturbances() {
		Machine end = now();
		double stolen = (end.stolen - this.stolen) / (double) Math.max(1, end.ticks - this.ticks);
		String found = String.format(Locale.ROOT, "Load before the run: %.2f; processor time stolen: %.1f %%.%n",
				this.load, stolen * 100);
		return (this.load <= QUIET_LOAD && stolen <= QUIET_STEAL) ? found
				: found + "**The machine was not quiet: the figures are unreliable.**\n";
	}

	/** Returns the ticks by kind, without those of guests, which are counted twice. */
	private static long[] ticksByKind() {
		if (!Files.isReadable(USAGE)) {
			return new long[0];
		}
		try (Stream<String> lines = Files.lines(USAGE)) {
			String all = lines.findFirst().orElse("cpu");
			return Stream.of(all.split(" +", -1)).skip(1).limit(STOLEN + 1).mapToLong(Long::parseLong).toArray();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
