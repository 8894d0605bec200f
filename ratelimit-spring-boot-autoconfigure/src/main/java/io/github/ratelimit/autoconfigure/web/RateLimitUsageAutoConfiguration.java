package io.github.ratelimit.autoconfigure.web;

import java.util.List;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKeys;
import io.github.ratelimit.spring.usage.UsageLookup;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} for the endpoint that shows callers their
 * own limits.
 */
@AutoConfiguration(after = RateLimitMethodAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnProperty(RateLimitUsageAutoConfiguration.PATH)
@ConditionalOnWebApplication
@Import({ ServletUsageConfiguration.class, ReactiveUsageConfiguration.class })
public final class RateLimitUsageAutoConfiguration {

	static final String PATH = RateLimitProperties.PREFIX + ".usage.path";

	private static final String POLICIES = RateLimitProperties.PREFIX + ".usage.policies";

	private static final String PLACE = "the endpoint of usage";

	@Bean("io.github.ratelimit.usagePath")
	UsagePath rateLimitUsagePath(RateLimitProperties properties) {
		String path = String.valueOf(properties.usage().path());
		return PropertyCheck.checked(PATH, path, () -> {
			if (!path.matches("(/[^/{}*?]+)+")) {
				throw new IllegalArgumentException("a path is written such as /usage, without patterns");
			}
			return new UsagePath(path);
		});
	}

	@Bean("io.github.ratelimit.usageLookup")
	UsageLookup rateLimitUsageLookup(RateLimiter limiter, Policies policies, KeyResolvers resolvers,
			RateLimitProperties properties) {
		List<String> names = properties.usage().policies();
		PolicyKeys keys = new PolicyKeys(policies, resolvers, resolvers.scope(), PLACE);
		PropertyCheck.checked(POLICIES, names, () -> names.stream().map(keys::get).toList());
		return new UsageLookup(limiter, policies, resolvers::isOfCaller, keys, names);
	}

}
