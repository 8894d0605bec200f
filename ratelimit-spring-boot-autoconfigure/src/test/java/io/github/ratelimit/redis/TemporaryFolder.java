package io.github.ratelimit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.util.FileSystemUtils;

/**
 * A folder for files of a test, which is deleted with all that is in it.
 *
 * @param path where it is
 */
public record TemporaryFolder(Path path) implements AutoCloseable {

	/**
	 * Makes a folder.
	 * @param prefix what its name begins with
	 * @return an empty folder, which its maker closes
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
	 * Makes a folder that ends with the JVM.
	 * @param prefix what its name begins with
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
