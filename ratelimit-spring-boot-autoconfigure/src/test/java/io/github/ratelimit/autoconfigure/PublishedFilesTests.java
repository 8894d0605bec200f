package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.ratelimit.algorithm.Alignment;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpMethod;
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
	void describesEveryPropertyForEditors() {
		assertThat(PublishedProperty.all())
			.allSatisfy((property) -> assertThat(property.description()).matches("[A-Z](?s:.)+\\."))
			.allSatisfy((property) -> assertThat(property.type()).isNotEmpty())
			.extracting(PublishedProperty::name)
			.contains("ratelimit.redis.denial-cache.max-keys", "ratelimit.policies.<name>.limits",
					"ratelimit.policies.<name>.penalty.after", "ratelimit.rules[].paths");
	}

	@Test
	void suggestsTheUnitsOfAnAlignment() {
		assertThat(hints("ratelimit.policies.<name>.align"))
			.containsExactlyElementsOf(Stream.of(Alignment.Unit.values()).map(Alignment.Unit::id).toList());
	}

	@Test
	void suggestsTheMethodsOfRules() {
		assertThat(hints("ratelimit.rules[].methods"))
			.containsExactlyInAnyOrderElementsOf(Stream.of(HttpMethod.values()).map(HttpMethod::name).toList());
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

	@Test
	void keepsTheNamesOfCharactersInANativeImage() {
		RuntimeHints hints = new RuntimeHints();
		new RateLimitRuntimeHints().registerHints(hints, null);
		assertThat(RuntimeHintsPredicates.resource().forResource("java/lang/uniName.dat")).accepts(hints);
		assertThat(Path.of(URI.create("jrt:/java.base/java/lang/uniName.dat"))).exists();
	}

	private static List<String> hints(String name) {
		return PublishedProperty.all()
			.stream()
			.filter((property) -> property.name().equals(name))
			.flatMap((property) -> property.hints().stream())
			.toList();
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
