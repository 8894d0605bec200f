package io.github.ratelimit.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.ControlTime;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.Origin;
import io.github.ratelimit.spring.top.TopKeys;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs the commands for Redis that the documentation shows.
 */
@Tag("long")
class RedisRecipesIT {

	private static final String ACL = "ACL SETUSER shop";

	private static final String CLI = "redis-cli ";

	private final RedisProcess redis = RedisProcess.start();

	@AfterEach
	void stop() {
		this.redis.close();
	}

	@Test
	void showWhatThereIs() throws IOException {
		try (ConfigurableApplicationContext sample = sample()) {
			use(sample);
			List<String> commands = lines("operations.md", CLI);
			assertThat(commands).hasSizeGreaterThan(5);
			for (String command : commands) {
				String sent = command.substring(CLI.length()).replace("--scan --pattern", "KEYS");
				assertThat(send(sent)).as(command).matches("[:*][1-9]\\d*");
			}
		}
	}

	@Test
	void moveToAnotherServerWithoutResettingAnyone() throws IOException {
		List<String> commands = lines("deployment.md", CLI + "-p 6380 ");
		assertThat(commands).hasSize(3);
		String slow = "--ratelimit.policies.quotes.limits=10/1d";
		try (RedisProcess other = RedisProcess.start()) {
			try (ConfigurableApplicationContext before = sample(slow)) {
				use(before);
				assertThat(send(other, commands.get(0))).isEqualTo("+OK");
				await().until(() -> reply(other, commands.get(1)).contains("master_link_status:up"));
				assertThat(send(other, commands.get(2))).isEqualTo("+OK");
			}
			try (ConfigurableApplicationContext after = sample(other, slow)) {
				assertThat(remaining(after)).isEqualTo(8);
				assertThat(after.getBean(Controls.class).active()).hasSize(1);
			}
		}
	}

	private String send(RedisProcess to, String command) throws IOException {
		return reply(to, command).lines().findFirst().orElse("");
	}

	/** Sends a command of the page, whose ports are others. */
	private String reply(RedisProcess to, String command) throws IOException {
		String sent = command.substring((CLI + "-p 6380 ").length()).replace("6379", String.valueOf(this.redis.port()));
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.port())) {
			socket.getOutputStream().write((sent + "\r\nQUIT\r\n").getBytes(StandardCharsets.UTF_8));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	private static long remaining(ConfigurableApplicationContext sample) {
		return sample.getBean(RateLimiter.class)
			.peek(List.of(Charge.of("quotes", "client-ip:127.0.0.1")))
			.limits()
			.get(0)
			.remaining();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void readNoLineOfTheDriverDuringAnOutage(CapturedOutput output) throws IOException {
		String[] levels = Markdown.pages()
			.filter((page) -> page.file().endsWith("when-redis-fails.md"))
			.flatMap((page) -> page.blocks("yaml"))
			.filter((block) -> block.text().startsWith("logging:"))
			.flatMap((block) -> Stream.of(block.properties().getPropertyNames())
				.map((name) -> "--" + name + '=' + block.properties().getProperty(name)))
			.toArray(String[]::new);
		assertThat(levels).hasSize(1);
		try (ConfigurableApplicationContext sample = sample(levels)) {
			use(sample);
			send("CONFIG SET requirepass other\r\nCLIENT KILL TYPE NORMAL");
			await().until(() -> output.getOut().contains("Controls cannot be read"));
			this.redis.close();
			await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
			assertThat(output.getOut()).contains("does not decide on rate limits")
				.doesNotContain("ConnectionWatchdog", "i.l.core");
		}
	}

	@Test
	void restrictAUserToWhatIsNeeded() throws IOException {
		allowShop("secret");
		try (ConfigurableApplicationContext sample = sample(asShop("secret"))) {
			use(sample);
			assertThatNothingFails(sample);
			assertThat(send("KEYS ratelimit:shop:*")).matches("\\*[1-9]\\d*");
			assertThat(send("SMEMBERS ratelimit:shop:1:{top}")).isEqualTo("*1");
			shareManyControls(sample);
		}
		assertThat(denied()).isEmpty();
	}

	@Test
	void rotateAPasswordWhileInstancesRun() throws IOException {
		allowShop("old-secret");
		List<String> commands = lines("deployment.md", CLI + ACL).stream()
			.map((line) -> line.substring(CLI.length()).replace("'", ""))
			.toList();
		assertThat(commands).hasSize(2);
		try (ConfigurableApplicationContext before = sample(asShop("old-secret"))) {
			use(before);
			assertThat(send(commands.get(0))).isEqualTo("+OK");
			try (ConfigurableApplicationContext after = sample(asShop("new-secret"))) {
				assertThat(send(commands.get(1))).isEqualTo("+OK");
				assertThatNothingFails(before);
				assertThatNothingFails(after);
			}
		}
	}

	/** Sends the commands of the page, with another password. */
	private void allowShop(String password) throws IOException {
		List<String> commands = lines("redis.md", ACL);
		assertThat(commands).hasSize(5);
		for (String command : commands) {
			assertThat(send(command.replace(">secret", '>' + password))).isEqualTo("+OK");
		}
	}

	/** Has another instance read controls in parts, and the top keys of the first. */
	private void shareManyControls(ConfigurableApplicationContext sample) {
		List<Ban> bans = IntStream.range(0, 600)
			.mapToObj((number) -> new Ban("quotes", "client-ip:198.51." + number / 256 + '.' + number % 256))
			.toList();
		sample.getBean(Controls.class).replaceAll(bans, ControlTime.EVER, Origin.APPLICATION);
		try (ConfigurableApplicationContext other = sample(asShop("secret"))) {
			assertThat(other.getBean(Controls.class).active()).hasSize(601);
			assertThat(other.getBean(TopKeys.class).report("quotes").complete()).isTrue();
		}
	}

	private static void assertThatNothingFails(ConfigurableApplicationContext sample) {
		new SampleClient(sample).get("/quotes").expectStatus().isOk();
		assertThat(sample.getBean(MeterRegistry.class).find("ratelimit.store.failures").counters())
			.allMatch((failures) -> failures.count() == 0);
	}

	private static String[] asShop(String password) {
		return new String[] { "--spring.data.redis.username=shop", "--spring.data.redis.password=" + password,
				"--ratelimit.redis.key-prefix=ratelimit:shop", "--ratelimit.on-store-failure=deny" };
	}

	/** Makes a call, sets a control and publishes what was counted. */
	private static void use(ConfigurableApplicationContext sample) {
		SampleClient client = new SampleClient(sample);
		client.get("/quotes").expectStatus().isOk();
		sample.getBean(Controls.class).set(new Ban("quotes", "client-ip:192.0.2.1"), null);
		sample.getBean(TopKeys.class).publish();
		client.get("/quotes").expectStatus().isOk();
		assertThat(sample.getBean(Controls.class).active()).hasSize(1);
	}

	private static List<String> lines(String page, String start) {
		return Markdown.pages()
			.filter((each) -> each.file().endsWith(page))
			.flatMap((each) -> each.text().lines())
			.filter((line) -> line.startsWith(start))
			.toList();
	}

	/** Returns what the access control of Redis has denied. */
	private String denied() throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.redis.port())) {
			socket.getOutputStream().write("ACL LOG\r\nQUIT\r\n".getBytes(StandardCharsets.UTF_8));
			String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return reply.equals("*0\r\n+OK\r\n") ? "" : reply;
		}
	}

	/** Sends a command as text and returns the first line of the reply. */
	private String send(String command) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.redis.port())) {
			socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
			return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
				.readLine();
		}
	}

	private ConfigurableApplicationContext sample(String... more) {
		return sample(this.redis, more);
	}

	private static ConfigurableApplicationContext sample(RedisProcess redis, String... more) {
		return SpringApplication.run(SampleApplication.class, Stream
			.concat(Stream.of("--spring.profiles.active=redis", "--server.port=0", "--spring.data.redis.host=127.0.0.1",
					"--spring.data.redis.port=" + redis.port(), "--ratelimit.redis.timeout=5s"), Stream.of(more))
			.toArray(String[]::new));
	}

}
