package io.github.ratelimit.sample.live;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

import org.springframework.util.FileSystemUtils;

import static org.awaitility.Awaitility.await;

/**
 * A headless Chromium for the tests of a class, with a profile of its own that it
 * deletes.
 */
final class Browser implements BeforeAllCallback, AfterAllCallback {

	private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

	private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

	private static final List<String> ARGUMENTS = List.of("--headless=new", "--no-sandbox", "--disable-gpu",
			"--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
			"--disable-sync", "--window-size=1280,1000");

	private @Nullable Path files;

	private @Nullable ChromeDriver driver;

	@Override
	public void beforeAll(ExtensionContext tests) throws IOException {
		if (!Files.isExecutable(CHROMIUM) || !Files.isExecutable(DRIVER)) {
			throw new IllegalStateException("Tests of the live page need Chromium: apt-get install chromium "
					+ "chromium-driver. To leave them out: -Dtest.excluded-groups=slow,browser");
		}
		Path folder = Files.createTempDirectory("browser");
		this.files = folder;
		this.driver = new ChromeDriver(service(folder), options(folder));
	}

	/** Quits, and deletes all files once no process of the browser writes any more. */
	@Override
	public void afterAll(ExtensionContext tests) {
		if (this.driver != null) {
			this.driver.quit();
		}
		await().ignoreExceptions().until(() -> FileSystemUtils.deleteRecursively(this.files) || this.files == null);
	}

	ChromeDriver driver() {
		return Objects.requireNonNull(this.driver);
	}

	/** Makes the browser say that its user prefers something. */
	void prefer(String feature, String value) {
		driver().executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", feature, "value", value))));
	}

	private static ChromeDriverService service(Path folder) {
		return new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile())
			.usingAnyFreePort()
			.withEnvironment(Map.of("HOME", folder.toString()))
			.withLogOutput(OutputStream.nullOutputStream())
			.build();
	}

	private static ChromeOptions options(Path folder) {
		ChromeOptions options = new ChromeOptions();
		options.setBinary(CHROMIUM.toFile());
		options.addArguments(ARGUMENTS);
		options.addArguments("--user-data-dir=" + folder.resolve("profile"));
		options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL"));
		return options;
	}

}
