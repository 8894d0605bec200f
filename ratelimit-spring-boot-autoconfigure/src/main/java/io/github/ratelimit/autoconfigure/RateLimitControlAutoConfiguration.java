package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.properties.PenaltyReader;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.store.StartStep;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.control.ControlChecks;
import io.github.ratelimit.spring.control.ControlEffects;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.Penalties;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * {@link AutoConfiguration Auto-configuration} for the {@link Controls} of operators,
 * which are kept where the counts are.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitControlAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Controls rateLimitControls(ControlStore store, Policies policies, KeyResolvers keys, RateLimitStore counts,
			RateLimiter limiter) {
		return new Controls(store, new ControlEffects(policies, keys.bans(), counts), new ControlChecks(policies, keys),
				limiter);
	}

	@Bean
	@Conditional(PenaltyReader.Configured.class)
	Penalties rateLimitPenalties(RateLimitProperties properties, RateLimitStore store,
			ObjectProvider<Controls> controls) {
		PenaltyReader.warnOfForeignKeys(properties);
		return new Penalties(PenaltyReader.read(properties), store, controls::getObject);
	}

	@Bean
	StartStep rateLimitControlStep(Controls controls, RateLimitProperties properties) {
		return new StartStep(() -> controls.start(properties.redis().connectTimeout()), controls::stop);
	}

}
