package io.github.ratelimit.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.PermitsResolver;
import io.github.ratelimit.key.PlanResolver;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.sample.Markdown.Block;
import io.github.ratelimit.spring.finding.Finding.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.ImportHttpServices;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the documentation to what the code does: what it shows as configuration starts,
 * what it shows as code is compiled, what it lists is there and its links lead somewhere.
 */
class DocumentationTests {

	private static final int LINES_OF_README = 150;

	private static final List<String> SOURCES = sources();

	private static final Map<String, String> DEFAULTS = KnownProperties.defaults();

	/**
	 * Auto-configurations of the starter, and of what it limits, counts in and reports
	 * to.
	 */
	private static final Pattern RELATED_AUTO_CONFIGURATION = Pattern
		.compile("io\\.github\\.ratelimit\\..*|org\\.springframework\\.boot\\.(webmvc|data\\.redis|security)\\..*"
				+ "|.*\\.(Metrics|CompositeMeterRegistry|Observation|Endpoint|WebEndpoint|Aop)AutoConfiguration");

	/** Properties of protocols, which have applications of their own. */
	private static final String PROPERTIES_WITHOUT_LIBRARY = "unknown-property:ratelimit.graphql.policies,"
			+ "unknown-property:ratelimit.graphql.cost,unknown-property:ratelimit.grpc.policies,"
			+ "unknown-property:ratelimit.stomp.policies,unknown-property:ratelimit.mcp.policies";

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("spring.profiles.active=docs", "ratelimit.checks.ignore=" + PROPERTIES_WITHOUT_LIBRARY,
				"spring.autoconfigure.exclude=" + unrelatedAutoConfigurations());

	@Tag("long")
	@ParameterizedTest
	@MethodSource("configurations")
	void startsWithEveryConfiguration(Block block) {
		EnumerablePropertySource<?> properties = block.properties();
		this.runner.withInitializer((context) -> add(properties, context)).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(RateLimiter.class);
			long policies = Stream.of(properties.getPropertyNames())
				.filter((name) -> name.matches("ratelimit\\.policies\\.[^.]+\\.(limits(\\[0])?|shares)"))
				.count();
			assertThat(context.getBean(Policies.class).all()).hasSize((int) policies);
		});
	}

	@ParameterizedTest
	@MethodSource("configurations")
	void knowsEveryPropertyOfAConfiguration(Block block) {
		assertThat(block.properties().getPropertyNames()).filteredOn((name) -> name.startsWith("ratelimit."))
			.allSatisfy((name) -> assertThat(DEFAULTS).containsKey(KnownProperties.documented(name)));
	}

	@ParameterizedTest
	@MethodSource("code")
	void compilesEveryLineOfCode(Block block) {
		List<String> parts = parts(block.text());
		assertThat(parts).isNotEmpty();
		assertThat(SOURCES).anyMatch((source) -> hasInOrder(source, parts));
	}

	@Test
	void showsWholeClassesInRecipes() {
		assertThat(page("docs/recipes.md").blocks("java")).allSatisfy((block) -> {
			String shown = plain(block.text());
			assertThat(shown).matches("(?s)\\n(@.*\\n)*(public )?class .*");
			assertThat(SOURCES).anyMatch((source) -> source.endsWith(shown));
		});
	}

	@Test
	void documentsEveryPropertyAndNoOther() {
		assertThat(page("docs/configuration.md").properties()).extracting((row) -> row.get(0))
			.containsExactlyInAnyOrderElementsOf(DEFAULTS.keySet());
	}

	@ParameterizedTest
	@MethodSource("pages")
	void knowsEveryPropertyAndDefaultOfATable(Markdown page) {
		assertThat(page.properties()).allSatisfy((row) -> {
			assertThat(DEFAULTS).containsKey(row.get(0));
			assertThat(literal(row.get(1))).isEqualTo(DEFAULTS.get(row.get(0)));
		});
	}

	@Test
	void suggestsTheDocumentedKeysToEditors() {
		List<String> documented = page("docs/keys.md").text()
			.lines()
			.dropWhile((line) -> !line.startsWith("| Key "))
			.takeWhile((line) -> !line.isBlank())
			.filter((line) -> line.startsWith("| `"))
			.map((line) -> line.substring(3, line.indexOf('`', 3)).replaceAll("NAME|\\.\\.\\.", ""))
			.toList();
		assertThat(KnownProperties.hints("ratelimit.policies.<name>.key"))
			.containsExactlyInAnyOrderElementsOf(documented);
	}

	@ParameterizedTest
	@MethodSource("pages")
	void leadsSomewhereByEveryLink(Markdown page) {
		assertThat(page.relativeLinks()).allSatisfy((link) -> {
			String[] parts = link.split("#", 2);
			Path folder = page.file().resolveSibling("");
			Path target = parts[0].isEmpty() ? page.file() : folder.resolve(parts[0]);
			assertThat(target).exists();
			if (parts.length == 2) {
				assertThat(Markdown.read(target).anchors()).contains(parts[1]);
			}
		});
	}

	@Test
	void describesEveryFinding() {
		assertThat(page("docs/checks.md").anchors()).containsAll(Stream.of(Kind.values()).map(Kind::id).toList());
	}

	@Test
	void namesTypesThatExistInTheArchitecture() {
		assertThat(page("ARCHITECTURE.md").types()).isNotEmpty().isSubsetOf(types());
	}

	@Test
	void namesTestsOfEachBorder() {
		Pattern test = Pattern.compile("`(\\w+(?:Tests|IT|OnJetty))`");
		List<String> rows = page("ARCHITECTURE.md").section("Borders")
			.text()
			.lines()
			.filter((line) -> line.startsWith("| "))
			.skip(1)
			.toList();
		assertThat(rows).hasSizeGreaterThan(10).allSatisfy((row) -> {
			String[] cells = row.split(" \\| ");
			assertThat(cells).hasSize(4);
			assertThat(test.matcher(cells[2]).results().map((name) -> name.group(1))).isNotEmpty().isSubsetOf(types());
		});
	}

	@Test
	void fitsTheReadmeOnAFewScreens() {
		assertThat(page("README.md").text().lines()).hasSizeLessThanOrEqualTo(LINES_OF_README);
	}

	static Stream<Markdown> pages() {
		return Markdown.pages();
	}

	static Stream<Block> configurations() {
		return pages().flatMap(Markdown::configurations);
	}

	static Stream<Block> code() {
		return pages().flatMap((page) -> Stream.concat(page.blocks("java"), page.blocks("kotlin")));
	}

	private static Markdown page(String name) {
		return Markdown.read(Markdown.root().resolve(name));
	}

	private static String unrelatedAutoConfigurations() {
		return ImportCandidates.load(AutoConfiguration.class, DocumentationTests.class.getClassLoader())
			.getCandidates()
			.stream()
			.filter((name) -> !RELATED_AUTO_CONFIGURATION.matcher(name).matches())
			.collect(Collectors.joining(","));
	}

	private static void add(EnumerablePropertySource<?> properties, ConfigurableApplicationContext context) {
		Map<String, Object> fallback = Map.of("ratelimit.store", "memory");
		context.getEnvironment().getPropertySources().addLast(properties);
		context.getEnvironment().getPropertySources().addLast(new MapPropertySource("fallback", fallback));
	}

	/**
	 * Returns the value that a cell consists of; empty if it has prose or names a
	 * property.
	 */
	private static String literal(String cell) {
		String text = cell.replace("`", "");
		return cell.equals("`" + text + "`") && !DEFAULTS.containsKey(text) ? text : "";
	}

	/** Returns the parts between {@code // ...} lines, which may leave something out. */
	private static List<String> parts(String code) {
		return Stream.of(code.split("(?m)^\\s*// \\.\\.\\.$")).map(DocumentationTests::plain).filter((part) -> {
			return !part.isBlank();
		}).toList();
	}

	/** Its lines without indentation, blank lines and comments. */
	private static String plain(String code) {
		List<String> lines = code.lines()
			.map(String::strip)
			.filter((line) -> !line.isEmpty() && !line.matches("(//|/\\*\\*|\\*).*"))
			.toList();
		return "\n" + String.join("\n", lines) + "\n";
	}

	private static boolean hasInOrder(String source, List<String> parts) {
		int from = 0;
		for (String part : parts) {
			int at = source.indexOf(part, from);
			if (at < 0) {
				return false;
			}
			from = at + part.length() - 1;
		}
		return true;
	}

	/** Returns the names of the project's top-level types. */
	private static List<String> types() {
		try (Stream<Path> modules = Files.list(Markdown.root())) {
			return modules.map((module) -> module.resolve("src"))
				.filter(Files::isDirectory)
				.flatMap((sources) -> files(sources).stream())
				.map((file) -> file.getFileName().toString())
				.filter((file) -> file.endsWith(".java"))
				.map((file) -> file.replace(".java", ""))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> sources() {
		return Stream.of("sample-app/src", "ratelimit-kotlin-tests/src", "ratelimit-spring-boot-test/src",
				"ratelimit-spring-ai/src", "ratelimit-spring-cloud-gateway/src", "ratelimit-spring-integrations/src")
			.flatMap(DocumentationTests::sources)
			.toList();
	}

	private static Stream<String> sources(String folder) {
		return files(Markdown.root().resolve(folder)).stream()
			.filter((file) -> file.toString().matches(".*\\.(java|kt)"))
			.map((file) -> plain(Markdown.text(file)));
	}

	private static List<Path> files(Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A client of a group that a page limits. */
	interface Partner {

		@GetExchange("/")
		String call();

	}

	@Profile("docs")
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@ImportHttpServices(group = "partners", types = Partner.class)
	static class Application {

		@Bean
		KeyResolver tenant() {
			return (context) -> context.caller().principal();
		}

		@Bean
		KeyResolver knownDevices() {
			return (context) -> null;
		}

		@Bean
		KeyResolver typedAccount() {
			return (call) -> null;
		}

		@Bean
		PermitsResolver quotas() {
			return (policy, key, call) -> null;
		}

		@Bean
		PlanResolver contracts() {
			return (policy, key, call) -> null;
		}

	}

}
