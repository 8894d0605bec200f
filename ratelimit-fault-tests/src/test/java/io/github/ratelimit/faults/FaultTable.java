package io.github.ratelimit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table of faults: the fault, the promise and the measurement. The end of the last
 * test writes it to the log and, as the page {@code results/README.md}, to
 * {@code target/faults.md}.
 */
public final class FaultTable implements ParameterResolver {

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == Rows.class;
	}

	@Override
	public Rows resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return context.getRoot().getStore(Namespace.GLOBAL).computeIfAbsent(Rows.class);
	}

	/** The rows of the table. */
	static final class Rows implements AutoCloseable {

		private static final Logger LOGGER = LoggerFactory.getLogger(FaultTable.class);

		private static final String ABOVE_TABLE = """
				# Faults

				This command writes this page to `ratelimit-fault-tests/target/faults.md`.
				[Promises](../../docs/promises.md) sums it up, and [how.md](how.md) explains the rows.

				```sh
				mvn -T1 -Pfaults verify
				```

				""";

		private static final String BEGIN = "| ";

		private final Map<String, String> rows = new ConcurrentSkipListMap<>();

		/** Adds a row, whose test asserts the promise. */
		void add(String fault, String promise, String measured) {
			this.rows.put(fault, BEGIN + fault + " | " + promise + " | " + measured + " |");
		}

		/** Adds the rows of another JVM. */
		void addAll(List<String> others) {
			others.forEach((row) -> this.rows.put(row.substring(BEGIN.length()), row));
		}

		/** Returns the rows as lines of text. */
		String lines() {
			return String.join("\n", this.rows.values());
		}

		@Override
		public void close() {
			String table = "| Fault | Promised | Measured |\n|---|---|---|\n" + lines();
			LOGGER.info("The faults of this run:\n{}", table);
			try {
				Files.writeString(Path.of("target", "faults.md"), ABOVE_TABLE + table + "\n");
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
