package io.github.ratelimit.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.github.ratelimit.faults.FaultTable.Rows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Lettuce on its native transport, which ends a connection without acknowledgements, and
 * on sockets of the JDK, which do not.
 */
@ExtendWith(FaultTable.class)
@Tag("slow")
class TransportIT {

	private static final Path FILE = Path.of("target", "transport.md");

	@Test
	void endsInTimeAndRecoversOnNio(Rows table) throws IOException {
		run(OnNio.run(FILE), table);
	}

	@Test
	void recoversFromABlackHole(Rows table) throws IOException {
		run(BlackHole.run(List.of("-Xmx256m"), "", FILE), table);
	}

	@Test
	void recoversFromABlackHoleOnNio(Rows table) throws IOException {
		run(BlackHole.run(OnNio.OPTIONS, OnNio.WHERE, FILE), table);
	}

	private static void run(Jvm jvm, Rows table) throws IOException {
		try (jvm) {
			jvm.join();
			table.addAll(Files.readAllLines(FILE));
		}
	}

}
