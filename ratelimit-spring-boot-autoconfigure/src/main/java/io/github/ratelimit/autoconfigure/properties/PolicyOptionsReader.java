package io.github.ratelimit.autoconfigure.properties;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.autoconfigure.properties.PolicyProperties.AboveMaxCost;
import io.github.ratelimit.autoconfigure.properties.PolicyProperties.Headers;
import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.policy.LocalShare;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.PolicyOptions.MaxCost;

import static io.github.ratelimit.autoconfigure.properties.PropertyCheck.checked;

/**
 * A reader of the options of a policy.
 */
final class PolicyOptionsReader {

	private static final Pattern PERCENT = Pattern.compile("(\\d{1,2})%");

	private final String property;

	private final PolicyProperties properties;

	private final PolicyOptions standard;

	PolicyOptionsReader(String property, PolicyProperties properties, PolicyOptions standard) {
		this.property = property;
		this.standard = standard;
		this.properties = properties;
	}

	/** Returns a policy with its options. */
	Policy applyTo(Policy policy) {
		Policy read = policy.withOptions(onStoreFailure().withMissingKey(this.properties.onMissingKey())
			.withHidden(this.properties.headers() == Headers.HIDDEN)
			.withEnforced(enforced()));
		read = withMaxWaiting(withMaxWait(read));
		return withPrefetch(withShares(withMaxCost(read)));
	}

	private PolicyOptions onStoreFailure() {
		OnStoreFailure mode = Objects.requireNonNullElse(this.properties.onStoreFailure(),
				this.standard.onStoreFailure());
		String share = this.properties.localShare();
		return (share == null) ? this.standard.withStoreFailure(mode, this.standard.localShare())
				: checked(this.property + ".local-share", share,
						() -> this.standard.withStoreFailure(mode, LocalShare.of(share)));
	}

	/** Returns the share of keys, which is none if no policy is enforced. */
	private EnforcedShare enforced() {
		String text = this.properties.enforce();
		EnforcedShare share = checked(this.property + ".enforce", text, () -> EnforcedShare.of(text));
		return this.standard.enforced().equals(EnforcedShare.NONE) ? EnforcedShare.NONE : share;
	}

	private Policy withMaxWait(Policy policy) {
		return checked(this.property + ".max-wait", this.properties.maxWait(),
				() -> policy.withOptions(policy.options().withMaxWait(this.properties.maxWait())));
	}

	private Policy withMaxWaiting(Policy policy) {
		return checked(this.property + ".max-waiting", this.properties.maxWaiting(),
				() -> policy.withOptions(policy.options().withMaxWaiting(this.properties.maxWaiting())));
	}

	private Policy withMaxCost(Policy policy) {
		Long permits = this.properties.maxCost();
		if (permits == null) {
			return policy;
		}
		boolean clamps = this.properties.aboveMaxCost() == AboveMaxCost.CLAMP;
		return checked(this.property + ".max-cost", permits,
				() -> policy.withOptions(policy.options().withMaxCost(new MaxCost(permits, clamps))));
	}

	private Policy withShares(Policy policy) {
		String shares = this.properties.shares();
		String reserve = this.properties.reserve();
		if (reserve == null) {
			return (shares != null) ? policy.withOptions(policy.options().sharing(shares, 0)) : policy;
		}
		return checked(this.property + ".reserve", reserve, () -> {
			if (shares == null) {
				throw new IllegalArgumentException("it is for a policy that 'shares' the counts of another");
			}
			return policy.withOptions(policy.options().sharing(shares, percent(reserve)));
		});
	}

	private Policy withPrefetch(Policy policy) {
		return checked(this.property + ".prefetch", this.properties.prefetch(),
				() -> policy.withOptions(policy.options().withPrefetch(this.properties.prefetch())));
	}

	private static int percent(String reserve) {
		Matcher matcher = PERCENT.matcher(reserve.strip());
		if (!matcher.matches()) {
			throw new IllegalArgumentException("a reserve is a percentage from 0% to 99%");
		}
		return Integer.parseInt(matcher.group(1));
	}

}
