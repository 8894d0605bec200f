package io.github.ratelimit.store.shared;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class KeyHashTests {

	private static final String KEY = "principal:alice";

	private final KeyHash hash = new KeyHash();

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 20, 65, 255, 256, 257, 512, 10_000 })
	void isHalfOfSha256InBase64(int length) throws NoSuchAlgorithmException {
		String key = "\u00e9\u20ac\uD800x".repeat(length).substring(0, length);
		assertThat(of(key)).isEqualTo(expected(key));
	}

	@Test
	void writesAtTheGivenIndex() {
		byte[] target = new byte[KeyHash.LENGTH + 2];
		this.hash.write("client-ip:192.0.2.1", target, 1);
		assertThat(target).startsWith(0).endsWith(0);
		assertThat(Arrays.copyOfRange(target, 1, 1 + KeyHash.LENGTH)).doesNotContain(0);
	}

	@Test
	void isTheSameOnAllThreadsAtOnce() {
		assertThat(IntStream.range(0, 100_000).parallel().filter((i) -> !isRight("key:" + i % 1_000)).count()).isZero();
	}

	@Test
	void matchesTheDocumentedCommand() throws IOException, InterruptedException {
		String documented = documentation().lines()
			.filter((line) -> line.startsWith("printf %s '" + KEY + "'"))
			.findFirst()
			.orElseThrow();
		assertThat(shell(documented)).isEqualTo(of(KEY));
		String other = "header:x-api-key:\u00fc\u20ac\ud83d\ude00 4711";
		assertThat(shell(documented.replace(KEY, other))).isEqualTo(of(other));
	}

	@Test
	void matchesTheDocumentedKey() throws IOException {
		assertThat(documentation()).contains("ratelimit:shop:1:quotes:{" + of(KEY) + "}:");
	}

	private boolean isRight(String key) {
		try {
			return of(key).equals(expected(key));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String of(String key) {
		byte[] target = new byte[KeyHash.LENGTH];
		this.hash.write(key, target, 0);
		return new String(target, StandardCharsets.US_ASCII);
	}

	private static String documentation() throws IOException {
		return Files.readString(Path.of("..", "docs", "redis.md"));
	}

	/** Runs a command from a file, as arguments may be in another charset. */
	private static String shell(String command) throws IOException, InterruptedException {
		Process shell = new ProcessBuilder("sh").redirectErrorStream(true).start();
		try (var input = shell.getOutputStream()) {
			input.write(command.getBytes(StandardCharsets.UTF_8));
		}
		String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(shell.waitFor()).as(output).isZero();
		return output.strip();
	}

	private static String expected(String key) throws NoSuchAlgorithmException {
		byte[] units = new byte[2 * key.length()];
		for (int i = 0; i < key.length(); i++) {
			units[2 * i] = (byte) (key.charAt(i) >> 8);
			units[2 * i + 1] = (byte) key.charAt(i);
		}
		byte[] whole = MessageDigest.getInstance("SHA-256").digest(units);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(whole, 16));
	}

}
