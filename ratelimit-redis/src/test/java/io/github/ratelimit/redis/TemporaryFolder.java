package io.github.ratelimit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.util.FileSystemUtils;

/**
 * A temporary folder of a test, which is deleted with its content.
 *
 * @param path the path of the folder
 */
public record TemporaryFolder(Path path) implements AutoCloseable {

	/**
	 * Creates a folder.
	 * @param prefix the start of its name
	 * @return an empty folder, which the caller closes
	 */
	static TemporaryFolder create(String prefix) {
		try {
			return new TemporaryFolder(Files.createTempDirectory(prefix));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Creates a folder that is deleted at the end of the JVM.
	 * @param prefix the start of its name
	 * @return an empty folder
	 */
	public static TemporaryFolder ofThisJvm(String prefix) {
		TemporaryFolder folder = create(prefix);
		Runtime.getRuntime().addShutdownHook(new Thread(folder::close));
		return folder;
	}

	@Override
	public void close() {
		try {
			FileSystemUtils.deleteRecursively(this.path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
