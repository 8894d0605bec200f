package io.github.ratelimit.autoconfigure.integration;

import java.util.List;

import graphql.analysis.FieldComplexityCalculator;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.reload.ConditionalOnReload;
import io.github.ratelimit.autoconfigure.reload.Reloadable;
import io.github.ratelimit.autoconfigure.reload.ReloadableSection;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.graphql.GraphQlCallers;
import io.github.ratelimit.spring.graphql.GraphQlCharges;
import io.github.ratelimit.spring.graphql.GraphQlErrors;
import io.github.ratelimit.spring.graphql.GraphQlOperations;
import io.github.ratelimit.spring.graphql.RateLimitGraphQlInterceptor;
import io.github.ratelimit.spring.key.CallerSource;
import io.github.ratelimit.spring.key.Callers;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKeys;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.github.ratelimit.spring.key.ServletCallerSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.graphql.execution.GraphQlSource;
import org.springframework.graphql.server.WebGraphQlInterceptor;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration Auto-configuration} for limits in Spring GraphQL.
 */
@AutoConfiguration(after = RateLimitMethodAutoConfiguration.class,
		beforeName = "org.springframework.boot.graphql.autoconfigure.GraphQlAutoConfiguration")
@ConditionalOnClass(WebGraphQlInterceptor.class)
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(GraphQlProperties.class)
@ImportRuntimeHints(GraphQlRuntimeHints.class)
public final class RateLimitGraphQlAutoConfiguration {

	private static final String PLACE = "the operations of GraphQL";

	@Bean("io.github.ratelimit.graphQlErrors")
	GraphQlErrors rateLimitGraphQlErrors() {
		return new GraphQlErrors();
	}

	@Bean("io.github.ratelimit.graphQlCallers")
	GraphQlCallers rateLimitGraphQlCallers(ObjectProvider<ServletCallerSource> threads,
			ObjectProvider<ReactiveCallerSource> subscribers) {
		return new GraphQlCallers(new Callers(CallerSource.firstOf(List.copyOf(threads.stream().toList())),
				subscribers.getIfAvailable()));
	}

	@Bean("io.github.ratelimit.graphQlCharges")
	GraphQlCharges rateLimitGraphQlCharges(GraphQlProperties properties, Policies policies, KeyResolvers keys,
			ObjectProvider<GraphQlSource> source, ObjectProvider<FieldComplexityCalculator> fields) {
		GraphQlOperations operations = new GraphQlOperations(SingletonSupplier.of(() -> source.getObject().schema()),
				fields.getIfAvailable(() -> (field, children) -> 1 + children));
		return properties.checked(policies,
				() -> new GraphQlCharges(new PolicyKeys(policies, keys, keys.scope(), PLACE), operations,
						properties.policies(), properties.cost(), keys.scope()));
	}

	@Bean("io.github.ratelimit.graphQlReload")
	@ConditionalOnReload
	Reloadable rateLimitGraphQlReload(GraphQlCharges charges) {
		return new ReloadableSection(GraphQlPropertyGroup.NAME, (properties, policies) -> {
			GraphQlProperties read = properties.group(GraphQlPropertyGroup.NAME, GraphQlProperties.class);
			return read.checked(policies, () -> charges.prepare(read.policies(), read.cost(), policies));
		});
	}

	@Bean("io.github.ratelimit.graphQlInterceptor")
	RateLimitGraphQlInterceptor rateLimitGraphQlInterceptor(RateLimiter limiter, GraphQlCharges charges,
			GraphQlCallers callers, GraphQlErrors errors) {
		return new RateLimitGraphQlInterceptor(limiter, charges, callers, errors);
	}

	@Bean("io.github.ratelimit.graphQlPolicies")
	PolicyUse rateLimitGraphQlPolicies(GraphQlCharges charges) {
		return PolicyUse.of(GraphQlProperties.POLICIES, charges::names);
	}

}
