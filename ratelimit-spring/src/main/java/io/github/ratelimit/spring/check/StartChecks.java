package io.github.ratelimit.spring.check;

import java.util.List;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * A step that makes the checks of an application once all its beans exist, and again when
 * its configuration has changed.
 */
public final class StartChecks implements SmartInitializingSingleton {

	private final List<StartCheck> checks;

	private final Findings findings;

	private List<Finding> found = List.of();

	/**
	 * Creates the step.
	 * @param checks the checks
	 * @param findings receives what they find
	 */
	public StartChecks(List<StartCheck> checks, Findings findings) {
		this.checks = List.copyOf(checks);
		this.findings = findings;
	}

	@Override
	public void afterSingletonsInstantiated() {
		run();
	}

	/** Makes the checks. Their earlier findings that no longer hold are removed. */
	public synchronized void run() {
		List<Finding> before = this.found;
		this.found = this.checks.stream().flatMap(StartCheck::findingsIfPossible).toList();
		this.findings.removeAll(before.stream().filter((finding) -> !this.found.contains(finding)).toList());
		this.found.forEach(this.findings::add);
	}

}
