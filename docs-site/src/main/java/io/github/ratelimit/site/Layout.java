package io.github.ratelimit.site;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import io.github.ratelimit.site.Navigation.Entry;
import org.jspecify.annotations.Nullable;

/**
 * The frame around the text of every page: bar, navigation and contents.
 */
final class Layout {

	private final Navigation navigation;

	private final Template template;

	Layout(Navigation navigation) {
		this.navigation = navigation;
		this.template = template();
	}

	/**
	 * The values of the template.
	 *
	 * @param page the page itself
	 * @param groups the navigation
	 * @param previous the page before it
	 * @param next the page after it
	 */
	record View(Page page, List<Group> groups, @Nullable Entry previous, @Nullable Entry next) {

	}

	/**
	 * A group of the navigation.
	 *
	 * @param name its title
	 * @param items its links
	 */
	record Group(String name, List<Item> items) {

	}

	/**
	 * A link of the navigation.
	 *
	 * @param title its text
	 * @param url where it leads, relative to the site's root
	 * @param current whether that is the page itself
	 */
	record Item(String title, String url, boolean current) {

	}

	String render(Page page) {
		List<Entry> entries = this.navigation.entries().toList();
		int at = entries.stream().map(Entry::url).toList().indexOf(page.url());
		Entry previous = (at > 0) ? entries.get(at - 1) : null;
		Entry next = (at + 1 < entries.size()) ? entries.get(at + 1) : null;
		return this.template.execute(new View(page, groups(page), previous, next));
	}

	private List<Group> groups(Page page) {
		List<Group> groups = new ArrayList<>();
		for (Navigation.Group group : this.navigation.groups()) {
			groups.add(new Group(group.title(), group.entries().stream().map((entry) -> {
				return new Item(entry.title(), entry.url(), entry.url().equals(page.url()));
			}).toList()));
		}
		return groups;
	}

	private static Template template() {
		try (Reader reader = new InputStreamReader(
				Objects.requireNonNull(Layout.class.getResourceAsStream("page.mustache")), StandardCharsets.UTF_8)) {
			return Mustache.compiler().compile(reader);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
