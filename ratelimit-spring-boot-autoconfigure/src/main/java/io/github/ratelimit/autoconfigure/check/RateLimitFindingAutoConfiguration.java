package io.github.ratelimit.autoconfigure.check;

import io.github.ratelimit.autoconfigure.properties.PropertyNames;
import io.github.ratelimit.spring.finding.Findings;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link Findings}, and for the check of
 * the names of properties, which precedes all beans.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitFindingAutoConfiguration {

	@Bean
	static BeanFactoryPostProcessor rateLimitPropertyNames(Environment environment) {
		return (beans) -> new PropertyNames(environment).requireKnown();
	}

	@Bean
	Findings rateLimitFindings(Environment environment) {
		return new PropertyNames(environment).findings();
	}

}
