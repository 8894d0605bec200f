package io.github.ratelimit.spring.check;

import java.util.List;

import io.github.ratelimit.spring.finding.Findings;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * A step that makes the checks of an application once all its beans exist.
 */
public final class StartChecks implements SmartInitializingSingleton {

	private final List<StartCheck> checks;

	private final Findings findings;

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
		this.checks.stream().flatMap(StartCheck::findingsIfPossible).forEach(this.findings::add);
	}

}
