package io.github.ratelimit.sample.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.ratelimit.sample.Markdown;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The documentation site on a phone and on small screens.
 */
@Tag("browser")
class DocumentationSiteIT {

	private static final Path SITE = Markdown.root().resolve("docs/.vitepress/dist");

	private static final Map<String, Object> PHONE = Map.of("width", 390, "height", 844, "deviceScaleFactor", 1,
			"mobile", true);

	@RegisterExtension
	static final Browser BROWSER = new Browser();

	private static final HttpServer SERVER = server();

	@BeforeAll
	static void start() {
		assertThat(SITE).as("build the site first: npm --prefix docs ci; npm --prefix docs run build").isDirectory();
		SERVER.createContext("/", DocumentationSiteIT::reply);
		SERVER.start();
	}

	@AfterAll
	static void stop() {
		SERVER.stop(0);
	}

	@AfterEach
	void useADesktop() {
		BROWSER.driver().executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
		BROWSER.driver().executeCdpCommand("Emulation.setTouchEmulationEnabled", Map.of("enabled", false));
	}

	@ParameterizedTest
	@ValueSource(strings = { "index", "docs/configuration" })
	void fitsOnAPhone(String page) {
		usePhone();
		open(page);
		assertThat(run("""
				return [...document.querySelectorAll('.vp-doc th')]
					.filter((heading) => heading.textContent.trim() && !heading.checkVisibility())
					.map((heading) => heading.textContent)
				""")).as("hidden headings of columns").isEqualTo(List.of());
		assertThat(
				run("""
						return [...document.querySelectorAll('.vp-doc pre')]
							.filter((code) => code.scrollWidth > code.clientWidth && getComputedStyle(code).overflowX !== 'auto')
							.map((code) => code.textContent)
						"""))
			.as("code that is cut")
			.isEqualTo(List.of());
		assertThat(run("return document.documentElement.scrollWidth <= innerWidth")).as("no wider").isEqualTo(true);
	}

	@Test
	void copiesCodeWithoutAMouse() {
		usePhone();
		open("docs/getting-started");
		assertThat(run("return [...document.querySelectorAll('.vp-doc pre')].length")).isNotEqualTo(0L);
		assertThat(run("""
				return [...document.querySelectorAll('.vp-doc button.copy')]
					.filter((button) => getComputedStyle(button).opacity !== '1').length
				""")).as("hidden buttons").isEqualTo(0L);
	}

	@ParameterizedTest
	@CsvSource({ "390, .VPLocalNavOutlineDropdown", "1279, .VPLocalNavOutlineDropdown", "1280, .VPDocAsideOutline" })
	void showsWhatIsOnThePage(int width, String outline) {
		BROWSER.driver()
			.executeCdpCommand("Emulation.setDeviceMetricsOverride",
					Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
		open("docs/configuration");
		await().until(() -> run("return document.querySelector('" + outline
				+ "')?.checkVisibility() && document.querySelector('" + outline + "').textContent")
			.toString()
			.contains("On this page"));
	}

	private static void usePhone() {
		BROWSER.driver().executeCdpCommand("Emulation.setDeviceMetricsOverride", PHONE);
		BROWSER.driver().executeCdpCommand("Emulation.setTouchEmulationEnabled", Map.of("enabled", true));
	}

	private static void open(String page) {
		BROWSER.driver().get("http://localhost:" + SERVER.getAddress().getPort() + "/" + page + ".html");
	}

	private static Object run(String script) {
		return Objects.requireNonNullElse(BROWSER.driver().executeScript(script), "");
	}

	private static HttpServer server() {
		try {
			return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void reply(HttpExchange exchange) throws IOException {
		try (exchange) {
			Path file = SITE.resolve(exchange.getRequestURI().getPath().substring(1)).normalize();
			boolean isThere = file.startsWith(SITE) && Files.isRegularFile(file);
			byte[] body = isThere ? Files.readAllBytes(file) : new byte[0];
			exchange.getResponseHeaders().set("Content-Type", type(file.toString()));
			exchange.sendResponseHeaders(isThere ? 200 : 404, (body.length > 0) ? body.length : -1);
			exchange.getResponseBody().write(body);
		}
	}

	private static String type(String file) {
		String kind = file.substring(file.lastIndexOf('.') + 1);
		return switch (kind) {
			case "html", "css" -> "text/" + kind;
			case "js" -> "text/javascript";
			case "svg" -> "image/svg+xml";
			default -> "application/octet-stream";
		};
	}

}
