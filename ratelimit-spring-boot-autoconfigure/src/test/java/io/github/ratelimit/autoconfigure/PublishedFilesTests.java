package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

class PublishedFilesTests {

	private static final String PACKAGE = "io.github.ratelimit.autoconfigure";

	@Test
	void listsEveryAutoConfigurationInOrder() throws IOException {
		List<String> listed = text("META-INF/spring/" + AutoConfiguration.class.getName() + ".imports").lines()
			.toList();
		assertThat(listed).isSorted()
			.containsExactlyInAnyOrderElementsOf(autoConfigurations().map(Class::getName).toList());
	}

	@Test
	void ordersAfterClassesThatExist() {
		assertThat(autoConfigurations()
			.map((type) -> AnnotatedElementUtils.getMergedAnnotation(type, AutoConfiguration.class))
			.filter(Objects::nonNull)
			.flatMap((annotation) -> Stream.of(annotation.afterName(), annotation.beforeName()).flatMap(Stream::of)))
			.isNotEmpty()
			.allMatch((name) -> ClassUtils.isPresent(name, getClass().getClassLoader()));
	}

	@Test
	void describesEveryPropertyForEditors() throws IOException {
		String metadata = text("META-INF/spring-configuration-metadata.json");
		for (String property : List.of("enabled", "store", "memory.max-keys", "redis.timeout", "redis.key-prefix",
				"policies")) {
			assertThat(metadata).contains("\"name\": \"ratelimit." + property + "\"");
		}
		assertThat(metadata).contains("Time to wait for a decision.");
	}

	@Test
	void keepsTheScriptsInANativeImage() {
		RuntimeHints hints = new RuntimeHints();
		new RateLimitRuntimeHints().registerHints(hints, null);
		for (String script : List.of("algorithm/token-bucket.lua", "spring/redis/script/decide.lua")) {
			assertThat(RuntimeHintsPredicates.resource().forResource("io/github/ratelimit/" + script)).accepts(hints);
			assertThat(getClass().getClassLoader().getResource("io/github/ratelimit/" + script)).isNotNull();
		}
	}

	private static Stream<Class<?>> autoConfigurations() {
		return new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
			.importPackages(PACKAGE)
			.stream()
			.filter((type) -> type.isAnnotatedWith(AutoConfiguration.class))
			.map((type) -> type.reflect());
	}

	private static String text(String resource) throws IOException {
		try (InputStream in = PublishedFilesTests.class.getClassLoader().getResourceAsStream(resource)) {
			assertThat(in).as(resource).isNotNull();
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
