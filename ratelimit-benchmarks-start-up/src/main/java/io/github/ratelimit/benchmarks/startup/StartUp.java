package io.github.ratelimit.benchmarks.startup;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cost of a start.
 *
 * @param cpuMillis the CPU time of the process in milliseconds
 * @param compilerMillis the time of the compilers in milliseconds
 * @param beans the number of beans
 * @param classes the number of classes that were loaded
 */
record StartUp(long cpuMillis, long compilerMillis, long beans, long classes) {

	private static final Pattern TEXT = Pattern.compile("start-up ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+)");

	/** Returns the line that a process prints. */
	String text() {
		return "start-up " + this.cpuMillis + ' ' + this.compilerMillis + ' ' + this.beans + ' ' + this.classes;
	}

	/** Finds the line in what a process printed. */
	static StartUp parse(String output) {
		Matcher found = TEXT.matcher(output);
		if (!found.find()) {
			throw new IllegalStateException("The application did not start: " + output);
		}
		return new StartUp(Long.parseLong(found.group(1)), Long.parseLong(found.group(2)),
				Long.parseLong(found.group(3)), Long.parseLong(found.group(4)));
	}

}
