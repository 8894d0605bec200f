package io.github.ratelimit.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests of the rendering of a single page.
 */
class PageTests {

	@TempDir
	Path project;

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "When Redis fails | when-redis-fails", "How do I ... | how-do-i-",
					"`ratelimit.redis.*` | ratelimitredis", "429 Too Many Requests | 429-too-many-requests",
					"A [link](a.md), *again* | a-link-again", "`on_failure` & Öfen | on_failure--öfen" })
	void hasTheAnchorsOfGitHub(String heading, String anchor) throws IOException {
		assertThat(page("# A\n\n## " + heading + "\n").sections().get(1).anchor()).isEqualTo(anchor.strip());
	}

	@Test
	void numbersHeadingsThatRepeat() throws IOException {
		assertThat(page("# A\n\n## B\n\n## B\n").html()).contains("<h2 id=\"b\">", "<h2 id=\"b-1\">");
	}

	@Test
	void leadsToPagesWhereMarkdownLeadsToFiles() throws IOException {
		Page page = page("# A\n\n[b](b.md#c) [d](../README.md) [e](#f) [g](https://g.example/h.md) [i](i.yml)\n");
		assertThat(page.html()).contains("\"b.html#c\"", "\"../index.html\"", "\"#f\"", "\"https://g.example/h.md\"",
				"\"i.yml\"");
		assertThat(page.files()).containsExactly("i.yml");
	}

	@Test
	void needsPicturesOfHtmlToo() throws IOException {
		assertThat(
				page("# A\n\n<picture>\n<source srcset=\"dark.png\">\n<img src=\"light.png\">\n</picture>\n").files())
			.containsExactly("dark.png", "light.png");
	}

	@Test
	void showsAlertsAsBoxes() throws IOException {
		assertThat(page("# A\n\n> [!WARNING]\n> Mind *this*.\n").html())
			.contains("<div class=\"alert alert-warning\"><p class=\"alert-title\">Warning</p>")
			.contains("<p>Mind <em>this</em>.</p>")
			.doesNotContain("blockquote", "[!");
		assertThat(page("# A\n\n> [!WARNING]\n> - One\n> - Two\n").html()).contains("<li>Two</li>")
			.doesNotContain("[!");
	}

	@Test
	void leavesOtherQuotesAlone() throws IOException {
		assertThat(page("# A\n\n> the larger burst\n").html()).contains("<blockquote>").doesNotContain("alert");
	}

	@Test
	void knowsTheWordsOfASectionForTheSearch() throws IOException {
		Section section = page("# A\n\n## B\n\nOne `two`\nthree.\n\n| four | five |\n|---|---|\n| six | seven |\n")
			.sections()
			.get(1);
		assertThat(section.text()).isEqualTo("One two three. four five six seven");
	}

	@Test
	void refusesAPageWithoutATitle() {
		assertThatIllegalStateException().isThrownBy(() -> page("Text\n"))
			.withMessageContaining("begin it with '# ' and a title");
	}

	private Page page(String markdown) throws IOException {
		Path file = this.project.resolve("docs/a.md");
		Files.createDirectories(file.getParent());
		Files.writeString(file, markdown);
		return Page.read(this.project, file);
	}

}
