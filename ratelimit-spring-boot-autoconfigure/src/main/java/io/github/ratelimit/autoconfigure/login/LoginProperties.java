package io.github.ratelimit.autoconfigure.login;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Login;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.login.LoginPolicies;
import io.github.ratelimit.spring.login.LoginPolicies.Names;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The names of the properties of logins.
 */
final class LoginProperties {

	static final String NAME = "login";

	static final String PREFIX = RateLimitProperties.PREFIX + '.' + NAME;

	private static final String ACCOUNT = PREFIX + ".account";

	private static final String ADDRESS = PREFIX + ".address";

	private LoginProperties() {
	}

	static Names names(Login login) {
		return new Names(login.account(), login.address(), login.resetOnSuccess());
	}

	/** Returns the policies of logins once each is known to limit wrong passwords. */
	static LoginPolicies checked(Login login, LoginPolicies ofLogin) {
		policies(login).forEach((property, policy) -> PropertyCheck.checked(property, policy, () -> {
			ofLogin.check(policy);
			return policy;
		}));
		return ofLogin;
	}

	private static Map<String, String> policies(Login login) {
		Map<String, String> policies = new LinkedHashMap<>();
		if (login.account() != null) {
			policies.put(ACCOUNT, login.account());
		}
		if (login.address() != null) {
			policies.put(ADDRESS, login.address());
		}
		return policies;
	}

	/** Returns the failure of an application that lacks what authenticates users. */
	static InvalidRateLimitConfigurationException nothingToLimit(String missing, String action) {
		return new InvalidRateLimitConfigurationException("The property '" + PREFIX + "' is set, but " + missing,
				action + ", or remove '" + PREFIX + "'.", null);
	}

	/** A condition that matches if a property is set. */
	static final class Configured implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return Stream.of(ACCOUNT, ADDRESS).anyMatch(context.getEnvironment()::containsProperty);
		}

	}

}
