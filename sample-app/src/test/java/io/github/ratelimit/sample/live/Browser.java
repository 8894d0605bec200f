package io.github.ratelimit.sample.live;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

import org.springframework.util.FileSystemUtils;

import static org.awaitility.Awaitility.await;

/**
 * A headless Chromium with a profile of its own, which it takes along when it is closed.
 */
final class Browser implements AutoCloseable {

	private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

	private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

	private static final List<String> ARGUMENTS = List.of("--headless=new", "--no-sandbox", "--disable-gpu",
			"--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
			"--disable-sync", "--window-size=1280,1000");

	private final Path files;

	private final ChromeDriver driver;

	Browser() {
		if (!Files.isExecutable(CHROMIUM) || !Files.isExecutable(DRIVER)) {
			throw new IllegalStateException("Tests of the live page need Chromium: apt-get install chromium "
					+ "chromium-driver. To leave them out: -Dtest.excluded-groups=slow,browser");
		}
		this.files = temporaryFolder();
		this.driver = start();
	}

	private ChromeDriver start() {
		try {
			return new ChromeDriver(service(), options());
		}
		catch (RuntimeException ex) {
			deleteFiles();
			throw ex;
		}
	}

	ChromeDriver driver() {
		return this.driver;
	}

	/** Makes the browser say that its user prefers something. */
	void prefer(String feature, String value) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", feature, "value", value))));
	}

	@Override
	public void close() {
		this.driver.quit();
		deleteFiles();
	}

	/** Deletes all files, once no process of the browser writes any more. */
	private void deleteFiles() {
		await().ignoreExceptions().until(() -> FileSystemUtils.deleteRecursively(this.files));
	}

	private ChromeDriverService service() {
		return new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile())
			.usingAnyFreePort()
			.withEnvironment(Map.of("HOME", this.files.toString()))
			.withLogOutput(OutputStream.nullOutputStream())
			.build();
	}

	private ChromeOptions options() {
		ChromeOptions options = new ChromeOptions();
		options.setBinary(CHROMIUM.toFile());
		options.addArguments(ARGUMENTS);
		options.addArguments("--user-data-dir=" + this.files.resolve("profile"));
		options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL"));
		return options;
	}

	private static Path temporaryFolder() {
		try {
			return Files.createTempDirectory("browser");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
