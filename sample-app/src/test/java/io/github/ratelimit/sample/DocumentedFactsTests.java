package io.github.ratelimit.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares what the documentation says in prose with the code and with recorded results,
 * and its length with what a reader takes in.
 */
class DocumentedFactsTests {

	private static final int LINKS_OF_README = 30;

	private static final int WORDS_OF_CHANGELOG = 900;

	private static final Pattern LINK = Pattern.compile("]\\(");

	/** One or several numbers before their unit, such as {@code 28 / 29 ns}. */
	private static final Pattern MEASURED = Pattern.compile("(\\d[\\d.]*(?: / \\d[\\d.]*)*) (ns|µs|k|M)\\b");

	/** A number in prose or a table, without digits of names and fractions of counts. */
	private static final Pattern FIGURE = Pattern.compile("(?<![\\w.,-])(\\d+\\.\\d+|\\d{2,})(?![\\w,]|\\.\\d)");

	private static final Pattern METER = Pattern.compile("\"(ratelimit(\\.[a-z]+){2,})\"");

	/** A variable that an integration gives to expressions, by the name of a constant. */
	private static final Pattern VARIABLE = Pattern.compile("Map\\.of\\(([A-Z]+), \\w+\\.class\\)");

	private static final Pattern TYPE = Pattern
		.compile("(?m)^public (?:[a-z-]+ )*(?:class|record|enum|@?interface) (\\w+)");

	private static final Pattern PACKAGE = Pattern.compile("(core|spring|redis|ai|integrations)/src/main/java"
			+ "/io/github/ratelimit/(?:spring/)?(\\w+)/package-info\\.java");

	private static final Pattern USE = Pattern.compile("RateLimit(\\w+)AutoConfiguration\\.java");

	private static final List<Path> SOURCES = sources();

	@Test
	void lacksNothingThatIsThere() {
		List<String> missing = page("docs/limits-and-gaps.md").section("Not there yet")
			.text()
			.lines()
			.filter((line) -> line.startsWith("- "))
			.toList();
		assertThat(missing).isNotEmpty().allSatisfy((line) -> {
			assertThat(KnownProperties.defaults().keySet()).noneMatch((property) -> names(line, lastName(property)));
			assertThat(meters()).isNotEmpty().noneMatch((meter) -> names(line, meter.replaceFirst("ratelimit\\.", "")));
		});
	}

	@Test
	void hasEveryVariableOfExpressions() {
		String names = page("docs/expressions.md").section("Names").text();
		Set<String> variables = texts((file) -> true).flatMap(DocumentedFactsTests::variables)
			.collect(Collectors.toSet());
		assertThat(variables).contains("account", "operation").allSatisfy((variable) -> {
			assertThat(names).contains("| `#" + variable + "`");
			assertThat(page("docs/expressions.md").section("Places").text()).contains("`#" + variable + "`");
		});
	}

	@Test
	void listsEveryUseOfAPolicy() {
		Set<String> uses = new TreeSet<>(Set.of("clients"));
		SOURCES.stream()
			.filter((file) -> !file.toString().matches(".*(Check|Endpoint)AutoConfiguration\\.java"))
			.filter((file) -> Markdown.text(file).contains("PolicyUse "))
			.flatMap((file) -> USE.matcher(file.toString()).results())
			.forEach((use) -> uses.add(use.group(1).toLowerCase(Locale.ROOT)));
		String finding = paragraph("docs/checks.md", "### unused-policy");
		assertThat(uses).contains("login", "graphql").allSatisfy((use) -> {
			assertThat(finding).contains("`ratelimit." + use + "`");
		});
	}

	/** Compares the words of a finding's message with those of the page. */
	@ParameterizedTest
	@CsvSource({ "unmatched-rule, 'no controller, servlet or static resource has such a path'",
			"unused-policy, no route of a gateway", "unused-policy, no other property" })
	void explainsFindingsInTheWordsOfTheLog(String finding, String words) {
		assertThat(prose(paragraph("docs/checks.md", "### " + finding).replace(",\nservlet", ", servlet")))
			.contains(words);
		assertThat(texts((file) -> file.toString().contains("/check/"))).anyMatch((source) -> source.contains(words));
	}

	@Test
	void mapsEveryPackage() {
		String map = page("ARCHITECTURE.md").section("The map").text();
		Set<String> packages = SOURCES.stream()
			.flatMap((file) -> PACKAGE.matcher(file.toString()).results())
			.map((match) -> match.group(2))
			.collect(Collectors.toSet());
		assertThat(packages).contains("rejection").allSatisfy((name) -> {
			assertThat(map).containsPattern("\\b" + name + "\\b");
		});
	}

	@Test
	void quotesFiguresOfTheRecordedResults() {
		String results = page("ratelimit-benchmarks/results/README.md").text();
		String performance = page("docs/performance.md").text();
		assertThat(figures(performance)).hasSizeGreaterThan(40).isSubsetOf(figures(results));
		assertThat(measured(performance)).hasSizeGreaterThan(40).isSubsetOf(measured(results));
		String postgresql = page("ratelimit-benchmarks/results/README.md").section("On PostgreSQL").text();
		String speed = page("docs/postgresql.md").section("Speed").text();
		assertThat(figures(speed)).hasSizeGreaterThan(15).isSubsetOf(figures(postgresql));
		assertThat(measured(speed)).hasSizeGreaterThan(8).isSubsetOf(measured(postgresql));
	}

	@ParameterizedTest
	@MethodSource("pages")
	void quotesNanosecondsOfTheRecordedResults(Markdown page) {
		Set<String> results = measured(page("ratelimit-benchmarks/results/README.md").text());
		assertThat(measured(page.text())).filteredOn((figure) -> figure.endsWith(" ns")).isSubsetOf(results);
	}

	/** Guards sentences that no longer held once, and that no other test compares. */
	@ParameterizedTest
	@CsvSource({ "limits no call until, an instance without Redis limits by itself",
			"places in line, calls wait for their turn",
			"asynchronous calls with different, blocking calls are batched too",
			"100 to 200 characters, a token of a short name is shorter",
			"minute 0 again, a clock may be set to a full hour",
			"follows after some calls, with a client address header it comes at the start",
			"2.3 times, the recorded results say 2.6 for two limits", "JAR of 125 KB, the file has grown",
			"1.05 MB of JARs, the files have grown", "key: bean:tenant, a tenant is a key of its own",
			"'alone, in all dialects', what is left can be told with prefetch" })
	void saysNoMore(String words, String reason) {
		assertThat(pages()).as(reason).noneMatch((page) -> prose(page.text()).contains(words));
	}

	/** Guards what a section left out once. */
	@ParameterizedTest
	@CsvSource({ "docs/choose.md, ## Behind Cloudflare or another CDN, client-address-header",
			"docs/keys.md, ### Behind a CDN, client-address-header", "docs/capacity.md, # Capacity, busy cores",
			"docs/deployment.md, ## Erase a person, [Consumption]",
			"docs/checks.md, ### principal-before-security, joined key",
			"docs/checks.md, ### principal-without-security, joined key" })
	void leavesOutNothing(String page, String heading, String words) {
		assertThat(paragraph(page, heading)).contains(words);
	}

	@Test
	void meansOneTypeByEachName() {
		assertThat(texts((file) -> !file.toString().contains("ratelimit-benchmarks"))
			.flatMap((source) -> TYPE.matcher(source).results())
			.map((type) -> type.group(1))).hasSizeGreaterThan(100).doesNotHaveDuplicates();
	}

	@Test
	void linksFromTheReadmeToAFewPages() {
		assertThat(LINK.matcher(page("README.md").text()).results()).hasSizeLessThanOrEqualTo(LINKS_OF_README);
	}

	@Test
	void fitsChangesIntoAFewMinutes() {
		assertThat(words(page("CHANGELOG.md"))).isLessThanOrEqualTo(WORDS_OF_CHANGELOG);
	}

	static Stream<Markdown> pages() {
		return Markdown.pages();
	}

	private static Markdown page(String name) {
		return Markdown.read(Markdown.root().resolve(name));
	}

	/** Returns the text from a heading to the next one of any level. */
	private static String paragraph(String name, String heading) {
		return page(name).text().split("(?m)^" + Pattern.quote(heading) + "$", 2)[1].split("(?m)^#", 2)[0];
	}

	private static String prose(String text) {
		return text.replaceAll("\\s+", " ");
	}

	private static int words(Markdown page) {
		return page.text().strip().split("\\s+").length;
	}

	/** Returns whether a line has all words of a name that has several. */
	private static boolean names(String line, String name) {
		String[] words = name.split("[-.]");
		return words.length > 1 && Stream.of(words).allMatch(line.toLowerCase(Locale.ROOT)::contains);
	}

	private static String lastName(String property) {
		return property.substring(property.lastIndexOf('.') + 1);
	}

	private static Set<String> meters() {
		return texts((file) -> file.toString().contains("/metrics/") || file.toString().contains("/store/"))
			.flatMap((source) -> METER.matcher(source).results())
			.map((meter) -> meter.group(1))
			.collect(Collectors.toSet());
	}

	private static Stream<String> variables(String source) {
		return VARIABLE.matcher(source)
			.results()
			.map((use) -> use.group(1))
			.flatMap((constant) -> Pattern.compile("String " + constant + " = \"(\\w+)\"").matcher(source).results())
			.map((constant) -> constant.group(1));
	}

	private static Set<String> figures(String text) {
		return FIGURE.matcher(text.replace(",", "")).results().map(MatchResult::group).collect(Collectors.toSet());
	}

	private static Set<String> measured(String text) {
		return MEASURED.matcher(text)
			.results()
			.flatMap((figures) -> Stream.of(figures.group(1).split(" / ")).map((one) -> one + " " + figures.group(2)))
			.collect(Collectors.toSet());
	}

	private static Stream<String> texts(Predicate<Path> isRead) {
		return SOURCES.stream().filter(isRead).map(Markdown::text);
	}

	private static List<Path> sources() {
		try (Stream<Path> modules = Files.list(Markdown.root())) {
			return modules.map((module) -> module.resolve("src/main/java"))
				.filter(Files::isDirectory)
				.flatMap((folder) -> Markdown.files(folder, Integer.MAX_VALUE))
				.filter((file) -> file.toString().endsWith(".java"))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
