package io.github.ratelimit.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.github.ratelimit.faults.FaultTable.Rows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Where Lettuce has no native transport, and so no keep-alive that is short enough and no
 * user timeout of TCP, which all other tests of faults have on Linux.
 */
@ExtendWith(FaultTable.class)
@Tag("slow")
class NioIT {

	@Test
	void keepsItsPromisesOnNio(Rows table) throws IOException {
		Path rows = Path.of("target", "on-nio.md");
		try (Jvm jvm = OnNio.run(rows)) {
			jvm.join();
			table.addAll(Files.readAllLines(rows));
		}
	}

}
