package io.github.ratelimit.spring.key;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.CompositeListener;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.key.KeyWord.Trait;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The table of key words, and the places that list its words for users.
 */
class KeyWordTests {

	private static final Path PROJECT = Path.of("..");

	/** The words, each with what follows it, by the properties that accept them. */
	private static final Map<String, List<String>> FORMS = Map.of("key", withExpression(forms(KeyWord.values())),
			"plan", withExpression(forms(plans())), "exempt", withExpression(CallerLists.FORMS), "blocked",
			withExpression(CallerLists.FORMS));

	private static final Pattern CODE_OF_JAVADOC = Pattern.compile("\\{@code ([^}]+)}");

	private static final Pattern CODE_OF_PAGE = Pattern.compile("`([^`]+)`");

	private final KeyResolvers resolvers = new KeyResolvers(() -> new ClientIp(List.of(), 64), TestResolvers.NO_BEANS,
			List.of("claim:tenant"), () -> new CompositeListener(List.of()), new Findings(List.of()));

	@ParameterizedTest
	@EnumSource
	void isAKeyAndAPlan(KeyWord word) {
		this.resolvers.check(List.of(word.form()));
		if (!word.has(Trait.ONLY_OF_RULES)) {
			this.resolvers.checkPlan(word.form());
		}
	}

	@ParameterizedTest
	@EnumSource
	void isInListsOnlyIfItHasAFormForThem(KeyWord word) {
		String entry = word.form() + ":VALUE";
		if (word.isListed()) {
			this.resolvers.checkEntry(entry);
		}
		else {
			assertThatIllegalArgumentException().isThrownBy(() -> this.resolvers.checkEntry(entry));
		}
	}

	@ParameterizedTest
	@MethodSource("hints")
	void isOfferedByHintsWhereItIsAccepted(Hint hint) {
		assertThat(hint.values()).as(hint.toString())
			.containsExactlyInAnyOrderElementsOf(
					forms(hint.property()).stream().map((form) -> form.replaceFirst(":.*", ":")).toList());
	}

	@Test
	void hasHintsInEachProperty() {
		assertThat(hints()).extracting(Hint::property).containsAll(FORMS.keySet());
	}

	@Test
	void isInTheJavadocOfTheAnnotation() throws IOException {
		String source = Files
			.readString(PROJECT.resolve("ratelimit-core/src/main/java/io/github/ratelimit/RateLimited.java"));
		String before = source.substring(0, source.indexOf("String key()"));
		assertThat(words(CODE_OF_JAVADOC, before.substring(before.lastIndexOf("/**"))))
			.as("words in the Javadoc of RateLimited#key")
			.containsExactlyInAnyOrderElementsOf(withExpression(forms(ofAnnotations())));
	}

	@ParameterizedTest
	@CsvSource({ "key, docs/keys.md, Key", "plan, docs/plans.md, `plan`", "exempt, docs/plans.md, Entry" })
	void isInTheTableOfItsPage(String property, String page, String title) throws IOException {
		Stream<String> rows = Files.readAllLines(PROJECT.resolve(page))
			.stream()
			.dropWhile((line) -> !line.startsWith("| " + title + " |"))
			.skip(2)
			.takeWhile((line) -> line.startsWith("|"));
		assertThat(rows.flatMap((row) -> words(CODE_OF_PAGE, row.split("\\|", -1)[1]).stream()))
			.as("words in the table '" + title + "' of " + page)
			.containsExactlyInAnyOrderElementsOf(forms(property));
	}

	private static List<String> words(Pattern code, String text) {
		return code.matcher(text)
			.results()
			.map((found) -> found.group(1))
			.map((word) -> word.startsWith("#") ? "#" : word)
			.toList();
	}

	private static KeyWord[] plans() {
		return Stream.of(KeyWord.values()).filter((word) -> word.has(Trait.MAY_NAME_PLAN)).toArray(KeyWord[]::new);
	}

	private static KeyWord[] ofAnnotations() {
		return Stream.of(KeyWord.values()).filter((word) -> !word.has(Trait.ONLY_OF_RULES)).toArray(KeyWord[]::new);
	}

	private static List<String> forms(String property) {
		return Objects.requireNonNull(FORMS.get(property));
	}

	private static List<String> forms(KeyWord... words) {
		return Stream.of(words).map(KeyWord::form).toList();
	}

	private static List<String> withExpression(List<String> forms) {
		return Stream.concat(forms.stream(), Stream.of("#")).toList();
	}

	/** Returns the hints of all modules for properties that accept key words. */
	static List<Hint> hints() {
		try (Stream<Path> modules = Files.list(PROJECT)) {
			return modules.map((module) -> module.resolve("src/main/resources/META-INF"))
				.filter(Files::isDirectory)
				.flatMap(KeyWordTests::files)
				.filter((file) -> file.toString().matches(".*metadata.*\\.json"))
				.flatMap(KeyWordTests::hints)
				.filter((hint) -> FORMS.containsKey(hint.property()))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Path> files(Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter(Files::isRegularFile).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Hint> hints(Path file) {
		try {
			return list(JsonParserFactory.getJsonParser().parseMap(Files.readString(file)).get("hints")).stream()
				.map((hint) -> Hint.of(file, hint));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> list(@Nullable Object value) {
		return (value != null) ? (List<Map<String, Object>>) value : List.of();
	}

	/** The values that a file offers for a property, named by its last part. */
	record Hint(Path file, String property, List<String> values) {

		static Hint of(Path file, Map<String, Object> json) {
			String name = Objects.toString(json.get("name"));
			return new Hint(file, name.substring(name.lastIndexOf('.') + 1),
					list(json.get("values")).stream().map((value) -> Objects.toString(value.get("value"))).toList());
		}

		@Override
		public String toString() {
			return "words for '" + this.property + "' in " + this.file.getFileName();
		}

	}

}
