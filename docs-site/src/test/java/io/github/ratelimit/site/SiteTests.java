package io.github.ratelimit.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Holds every page of the site to lead somewhere, and to load nothing from elsewhere.
 */
class SiteTests {

	@TempDir
	static Path folder;

	private static RenderedSite site;

	@BeforeAll
	static void render() throws IOException {
		site = RenderedSite.into(folder);
	}

	@Test
	void leadsSomewhereByEveryLinkAndAnchor() {
		assertThat(site.pages()).hasSizeGreaterThan(30)
			.allSatisfy((page) -> assertThat(RenderedSite.links(page)).filteredOn((link) -> !link.matches("[a-z]+:.*"))
				.isNotEmpty()
				.allSatisfy((link) -> assertLeadsSomewhere(page, link)));
	}

	@Test
	void loadsNothingFromOtherHosts() {
		assertThat(site.pages()).allSatisfy((page) -> assertThat(RenderedSite.text(page))
			.doesNotContainPattern("<(?:script|img|source|link|iframe)[^>]+\"(?:https?:)?//"));
		assertThat(RenderedSite.text(folder.resolve("assets/site.css"))).doesNotContain("url(", "@import");
	}

	@Test
	void hasEachAnchorOnce() {
		assertThat(site.pages()).allSatisfy((page) -> assertThat(RenderedSite.ids(page)).doesNotHaveDuplicates());
	}

	@Test
	void marksThePageInItsNavigation() {
		assertThat(RenderedSite.text(folder.resolve("docs/migrate/switch.html")))
			.contains("href=\"../../docs/migrate/switch.html\" aria-current=\"page\">Switch without a gap</a>")
			.containsPattern("rel=\"prev\" href=\"../../docs/[^\"]+\"")
			.contains("rel=\"next\" href=\"../../docs/migrate/limiters.html\"");
	}

	@Test
	void findsEverySectionBySearch() {
		assertThat(RenderedSite.text(folder.resolve("assets/search-index.js"))).startsWith("window.searchIndex = [{")
			.contains(
					"\"page\":\"Recipes\",\"title\":\"Protect a login\",\"url\":\"docs/recipes.html#protect-a-login\"");
	}

	@Test
	void refusesAPageThatTheReadmeDoesNotName(@TempDir Path project) throws IOException {
		Files.createDirectories(project.resolve("docs"));
		Files.createDirectories(project.resolve("sample-app"));
		Files.writeString(project.resolve("README.md"), "# A\n\n## Documentation\n\n- Start: [B](docs/b.md)\n");
		Files.writeString(project.resolve("docs/b.md"), "# B\n");
		assertThat(Site.read(project).pages()).extracting(Page::title).containsExactlyInAnyOrder("A", "B");
		Files.writeString(project.resolve("docs/c.md"), "# C\n");
		assertThatIllegalStateException().isThrownBy(() -> Site.read(project))
			.withMessageContaining("c.md")
			.withMessageContaining("add it to the list below 'Documentation'");
	}

	@Test
	void refusesALinkToAFileThatIsNotThere(@TempDir Path project, @TempDir Path target) throws IOException {
		Files.createDirectories(project.resolve("docs"));
		Files.createDirectories(project.resolve("sample-app"));
		Files.writeString(project.resolve("README.md"), "# A\n\n## Documentation\n\n- Start: [B](docs/b.md)\n");
		Files.writeString(project.resolve("docs/b.md"), "# B\n\n![A picture](picture.png)\n");
		Site read = Site.read(project);
		assertThatIllegalStateException().isThrownBy(() -> read.write(target)).withMessageContaining("picture.png");
	}

	private static void assertLeadsSomewhere(Path page, String link) {
		List<String> parts = List.of(link.split("#", 2));
		Path target = parts.get(0).isEmpty() ? page : page.resolveSibling(parts.get(0)).normalize();
		assertThat(target).isRegularFile();
		if (parts.size() == 2) {
			assertThat(RenderedSite.ids(target)).contains(parts.get(1));
		}
	}

}
