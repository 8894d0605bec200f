package io.github.ratelimit.autoconfigure;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Policy;
import io.github.ratelimit.Terms;
import io.github.ratelimit.Terms.MaxCost;
import io.github.ratelimit.autoconfigure.RateLimitProperties.PolicyProperties;
import io.github.ratelimit.autoconfigure.RateLimitProperties.PolicyProperties.AboveMaxCost;

import static io.github.ratelimit.autoconfigure.PolicyReader.checked;

/**
 * Reads the terms of a policy from its properties, or names the property that is wrong.
 */
final class TermsReader {

	private static final Pattern PERCENT = Pattern.compile("(\\d{1,2})%");

	private final String property;

	private final PolicyProperties properties;

	private final Terms standard;

	TermsReader(String property, PolicyProperties properties, Terms standard) {
		this.property = property;
		this.standard = standard;
		this.properties = properties;
	}

	Policy applyTo(Policy policy) {
		Policy read = policy.withTerms(onStoreFailure().withMissingKey(this.properties.onMissingKey()));
		read = withMaxWaiting(withMaxWait(read));
		return withLease(withShares(withMaxCost(read)));
	}

	private Terms onStoreFailure() {
		OnStoreFailure mode = Objects.requireNonNullElse(this.properties.onStoreFailure(),
				this.standard.onStoreFailure());
		int share = Objects.requireNonNullElse(this.properties.localShare(), this.standard.localShare());
		return checked(this.property + ".local-share", share, () -> this.standard.withStoreFailure(mode, share));
	}

	private Policy withMaxWait(Policy policy) {
		return checked(this.property + ".max-wait", this.properties.maxWait(),
				() -> policy.withTerms(policy.terms().withMaxWait(this.properties.maxWait())));
	}

	private Policy withMaxWaiting(Policy policy) {
		return checked(this.property + ".max-waiting", this.properties.maxWaiting(),
				() -> policy.withTerms(policy.terms().withMaxWaiting(this.properties.maxWaiting())));
	}

	private Policy withMaxCost(Policy policy) {
		Long permits = this.properties.maxCost();
		if (permits == null) {
			return policy;
		}
		boolean clamps = this.properties.aboveMaxCost() == AboveMaxCost.CLAMP;
		return checked(this.property + ".max-cost", permits,
				() -> policy.withTerms(policy.terms().withMaxCost(new MaxCost(permits, clamps))));
	}

	private Policy withShares(Policy policy) {
		String shares = this.properties.shares();
		String reserve = this.properties.reserve();
		if (reserve == null) {
			return (shares != null) ? policy.withTerms(policy.terms().sharing(shares, 0)) : policy;
		}
		return checked(this.property + ".reserve", reserve, () -> {
			if (shares == null) {
				throw new IllegalArgumentException("it is for a policy that 'shares' the counts of another");
			}
			return policy.withTerms(policy.terms().sharing(shares, percent(reserve)));
		});
	}

	private Policy withLease(Policy policy) {
		return checked(this.property + ".lease", this.properties.lease(),
				() -> policy.withTerms(policy.terms().withLease(this.properties.lease())));
	}

	private static int percent(String reserve) {
		Matcher matcher = PERCENT.matcher(reserve.strip());
		if (!matcher.matches()) {
			throw new IllegalArgumentException("a reserve is a percentage from 0% to 99%");
		}
		return Integer.parseInt(matcher.group(1));
	}

}
