package io.github.ratelimit.spring.check;

import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import org.apache.commons.logging.LogFactory;

/**
 * A check of an application that has started.
 */
public interface StartCheck {

	/**
	 * Makes the check.
	 * @return the findings
	 */
	Stream<Finding> findings();

	/**
	 * Makes the check, and finds nothing if that fails. A check must not break a start.
	 * @return the findings
	 */
	default Stream<Finding> findingsIfPossible() {
		try {
			return findings().toList().stream();
		}
		catch (RuntimeException | LinkageError ex) {
			LogFactory.getLog(StartCheck.class).debug("A check could not be made", ex);
			return Stream.empty();
		}
	}

	/**
	 * Combines checks into one. If one of them fails, the others are still made.
	 * @param checks the checks, in their order
	 * @return the check
	 */
	static StartCheck all(StartCheck... checks) {
		return () -> Stream.of(checks).flatMap(StartCheck::findingsIfPossible);
	}

}
