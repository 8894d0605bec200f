package io.github.ratelimit.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.jayway.jsonpath.JsonPath;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.sample.Markdown.Block;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the commands of the page on operations, in their order.
 */
class OperationsIT {

	private static final Pattern COMMAND = Pattern.compile(
			"curl(?: -u (?<user>\\S+))?(?: -X (?<method>\\w+))?(?: --json '(?<body>[^']*)')? '?http://localhost:8080(?<path>[^'\\s]+)'?");

	private static final ConfigurableApplicationContext SAMPLE = SpringApplication.run(SampleApplication.class,
			"--server.port=0");

	private final HttpClient client = HttpClient.newHttpClient();

	@AfterAll
	static void stop() {
		SAMPLE.close();
	}

	@Test
	void showsWhatEveryCommandOfThePageShows() throws Exception {
		List<Block> blocks = Markdown.pages()
			.filter((page) -> page.file().endsWith("operations.md"))
			.flatMap(Markdown::blocks)
			.filter((block) -> List.of("sh", "json").contains(block.language()))
			.toList();
		String last = "";
		int commands = 0;
		for (Block block : blocks) {
			if (block.language().equals("json")) {
				assertThat(JsonPath.<Map<String, Object>>read(last, "$").keySet())
					.isEqualTo(JsonPath.<Map<String, Object>>read(block.text(), "$").keySet());
				continue;
			}
			for (String line : block.text().lines().toList()) {
				HttpResponse<String> response = send(line, true);
				assertThat(response.statusCode()).as(line).isIn(200, 204);
				last = response.body();
				commands++;
			}
		}
		assertThat(commands).isGreaterThan(10);
	}

	@Test
	void computesTheDigestThatThePageShows() throws Exception {
		String command = Markdown.pages()
			.filter((page) -> page.file().endsWith("operations.md"))
			.flatMap((page) -> page.blocks("console"))
			.map(Block::text)
			.filter((text) -> text.startsWith("printf"))
			.findFirst()
			.orElseThrow();
		Process shell = new ProcessBuilder("sh", "-c", command).start();
		assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
			.isEqualTo(KeyDigest.of("client-ip:192.0.2.1"))
			.isEqualTo("19bf049fccd5c84b");
	}

	@Test
	void letsOnlyOperatorsIn() throws Exception {
		String grant = "curl --json '{\"policy\": \"quotes\", \"key\": \"client-ip:192.0.2.7\", \"permits\": 1, \"duration\": \"1h\"}' "
				+ "http://localhost:8080/actuator/ratelimitcontrols/grant";
		assertThat(send(grant, false).statusCode()).isEqualTo(401);
		assertThat(send(grant.replace("curl", "curl -u ada:guess"), true).statusCode()).isEqualTo(401);
		assertThat(send("curl http://localhost:8080/actuator/ratelimitcontrols", false).statusCode()).isEqualTo(401);
		assertThat(send("curl 'http://localhost:8080/actuator/ratelimits/quotes?key=client-ip:192.0.2.7'", false)
			.statusCode()).isEqualTo(401);
		assertThat(send("curl http://localhost:8080/actuator/ratelimits/quotes/top", false).statusCode())
			.isEqualTo(401);
		assertThat(send("curl -u ada:secret 'http://localhost:8080/actuator/ratelimits/quotes?key=client-ip:192.0.2.7'",
				true)
			.body()).contains("\"controls\":[]");
	}

	/** The name is not ada's, as the right password is denied then too. */
	@Test
	void limitsGuessesOfAnOperatorsPassword() throws Exception {
		for (int guess = 0; guess < 20; guess++) {
			assertThat(guess("/actuator/ratelimitcontrols").statusCode()).isEqualTo(401);
		}
		assertThat(guess("/actuator/ratelimitcontrols").statusCode()).isEqualTo(429);
		assertThat(guess("/actuator/ratelimits/quotes/top").statusCode()).isEqualTo(429);
	}

	@Test
	void showsThePublicNoOperatorsName() throws Exception {
		String controls = "http://localhost:8080/actuator/ratelimitcontrols/";
		assertThat(send("curl -u ada:secret --json '{\"policy\": \"quotes\", \"limits\": \"9/1m\", \"for\": \"ever\"}' "
				+ controls + "change", true)
			.body()).contains("\"by\":\"ada\"");
		HttpResponse<String> open = send("curl http://localhost:8080/actuator/ratelimits", false);
		assertThat(open.statusCode()).isEqualTo(200);
		assertThat(open.body()).contains("change-quotes").doesNotContain("ada");
		send("curl -u ada:secret -X DELETE " + controls + "change-quotes", true);
	}

	private HttpResponse<String> guess(String path) throws IOException, InterruptedException {
		return send("curl -u bea:guess http://localhost:8080" + path, true);
	}

	private HttpResponse<String> send(String line, boolean authenticated) throws IOException, InterruptedException {
		Matcher command = COMMAND.matcher(line);
		assertThat(command.matches()).as(line).isTrue();
		String body = command.group("body");
		String method = (body != null) ? "POST" : "GET";
		BodyPublisher publisher = (body != null) ? BodyPublishers.ofString(body) : BodyPublishers.noBody();
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create("http://localhost:"
					+ SAMPLE.getEnvironment().getRequiredProperty("local.server.port") + command.group("path")))
			.header("Content-Type", "application/json")
			.method((command.group("method") != null) ? command.group("method") : method, publisher);
		if (authenticated) {
			request.header("Authorization", "Basic "
					+ Base64.getEncoder().encodeToString(command.group("user").getBytes(StandardCharsets.UTF_8)));
		}
		return this.client.send(request.build(), BodyHandlers.ofString());
	}

}
