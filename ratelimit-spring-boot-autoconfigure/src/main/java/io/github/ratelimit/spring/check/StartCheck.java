package io.github.ratelimit.spring.check;

import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;

/**
 * A check of an application that has started.
 */
public interface StartCheck {

	/**
	 * Makes the check.
	 * @return the findings
	 */
	Stream<Finding> findings();

}
