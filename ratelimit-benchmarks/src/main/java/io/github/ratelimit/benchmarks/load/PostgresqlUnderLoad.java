package io.github.ratelimit.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;

import io.github.ratelimit.jdbc.PostgresqlProcess;

/**
 * A PostgreSQL that tells what all its processes have used. Without {@code /proc}, it
 * tells nothing.
 *
 * @param postgresql the server
 * @param tables the tables of all contenders, separated by commas
 */
record PostgresqlUnderLoad(PostgresqlProcess postgresql, String tables) implements MeasuredServer {

	private static final double TICK_MICROS = 10_000;

	/** The columns of a process' own time in user and system mode, after its name. */
	private static final int OWN = 12;

	/** The same of the processes that it has started and that have ended. */
	private static final int ENDED = 14;

	@Override
	public double cpuMicros() {
		ProcessHandle first = this.postgresql.handle();
		return TICK_MICROS * (first.children().mapToLong((session) -> ticks(session, OWN)).sum() + ticks(first, ENDED));
	}

	private static long ticks(ProcessHandle process, int last) {
		try {
			String usage = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
			return Stream.of(usage.substring(usage.lastIndexOf(')')).split(" ", -1))
				.limit(last + 2)
				.skip(OWN)
				.mapToLong(Long::parseLong)
				.sum();
		}
		catch (NoSuchFileException ex) {
			return 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void clear() {
		try (Connection connection = this.postgresql.connect(); Statement statement = connection.createStatement()) {
			statement.execute("truncate " + this.tables);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
