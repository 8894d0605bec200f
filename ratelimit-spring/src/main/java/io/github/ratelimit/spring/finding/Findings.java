package io.github.ratelimit.spring.finding;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding.Kind;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The findings of an application. Each is logged once. Thread-safe.
 */
public final class Findings {

	private static final Log logger = LogFactory.getLog(Findings.class);

	private static final Comparator<Finding> ORDER = Comparator.comparing(Finding::kind)
		.thenComparing(Finding::subject)
		.thenComparing(Finding::message);

	private final Set<String> ignored;

	private final Set<Finding> found = ConcurrentHashMap.newKeySet();

	/**
	 * Creates findings, none so far.
	 * @param ignored the findings to ignore: identifiers of kinds, each alone or with a
	 * subject behind a colon
	 * @throws IllegalArgumentException if there is no kind of an identifier
	 */
	public Findings(Collection<String> ignored) {
		this.ignored = Set.copyOf(ignored);
		this.ignored.forEach(Findings::requireKind);
	}

	/**
	 * Adds a finding, unless it is ignored or known.
	 * @param finding the finding
	 */
	public void add(Finding finding) {
		if (!isIgnored(finding) && this.found.add(finding)) {
			logger.warn(finding.message() + " [" + finding.kind().id() + ": see checks.md of the documentation, or set "
					+ "'ratelimit.checks.ignore' to '" + finding.kind().id() + ':' + finding.subject() + "']");
		}
	}

	/**
	 * Removes findings that no longer hold.
	 * @param findings the findings
	 */
	public void removeAll(Collection<Finding> findings) {
		this.found.removeAll(Set.copyOf(findings));
	}

	/**
	 * Returns the findings that hold.
	 * @return the findings by kind and subject
	 */
	public List<Finding> all() {
		return this.found.stream().sorted(ORDER).toList();
	}

	/**
	 * Returns whether a finding is ignored.
	 * @param finding the finding
	 * @return whether its kind is ignored, for all subjects or for its own
	 */
	public boolean isIgnored(Finding finding) {
		String id = finding.kind().id();
		return this.ignored.contains(id) || this.ignored.contains(id + ':' + finding.subject());
	}

	private static void requireKind(String entry) {
		int colon = entry.indexOf(':');
		String id = (colon < 0) ? entry : entry.substring(0, colon);
		List<String> known = Stream.of(Kind.values()).map(Kind::id).toList();
		if (!known.contains(id)) {
			throw new IllegalArgumentException("there is no check '" + id + "'; there are " + known);
		}
	}

}
