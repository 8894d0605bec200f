package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.reload.ConditionalOnReload;
import io.github.ratelimit.autoconfigure.reload.Reloadable;
import io.github.ratelimit.autoconfigure.reload.ReloadableSection;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.grpc.AdvisedRejections;
import io.github.ratelimit.spring.grpc.GrpcCallerSource;
import io.github.ratelimit.spring.grpc.GrpcPolicies;
import io.github.ratelimit.spring.grpc.GrpcRequests;
import io.github.ratelimit.spring.grpc.RateLimitGrpcExceptionHandler;
import io.github.ratelimit.spring.grpc.RateLimitServerInterceptor;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKeys;
import io.grpc.ServerInterceptor;
import io.grpc.protobuf.StatusProto;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.advice.GrpcExceptionHandlerMethodResolver;
import org.springframework.grpc.server.exception.CompositeGrpcExceptionHandler;
import org.springframework.grpc.server.exception.GrpcExceptionHandler;

/**
 * {@link AutoConfiguration Auto-configuration} for limits of gRPC calls.
 */
@AutoConfiguration(after = RateLimitMethodAutoConfiguration.class)
@ConditionalOnClass({ GlobalServerInterceptor.class, ServerInterceptor.class, StatusProto.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(GrpcProperties.class)
public final class RateLimitGrpcAutoConfiguration {

	@Bean("io.github.ratelimit.grpcCallerSource")
	GrpcCallerSource rateLimitGrpcCallerSource() {
		return new GrpcCallerSource();
	}

	@Bean("io.github.ratelimit.grpcRequests")
	GrpcRequests rateLimitGrpcRequests() {
		return new GrpcRequests();
	}

	@Bean("io.github.ratelimit.grpcPolicies")
	GrpcPolicies rateLimitGrpcPolicies(GrpcProperties properties, Policies policies, KeyResolvers keys) {
		PolicyKeys byName = new PolicyKeys(policies, keys, keys.scope(), GrpcProperties.POLICIES);
		return properties.checked((names) -> new GrpcPolicies(names, byName));
	}

	@Bean("io.github.ratelimit.grpcReload")
	@ConditionalOnReload
	Reloadable rateLimitGrpcReload(GrpcPolicies charged) {
		return new ReloadableSection(GrpcPropertyGroup.NAME,
				(properties, policies) -> properties.group(GrpcPropertyGroup.NAME, GrpcProperties.class)
					.checked((names) -> charged.prepare(names, policies)));
	}

	/** Creates the interceptor, whose rejections all exception handlers may map. */
	@Bean("io.github.ratelimit.serverInterceptor")
	@GlobalServerInterceptor
	RateLimitServerInterceptor rateLimitServerInterceptor(RateLimiter limiter, GrpcPolicies policies,
			ObjectProvider<GrpcExceptionHandler> handlers) {
		return new RateLimitServerInterceptor(limiter, policies,
				new CompositeGrpcExceptionHandler(handlers.orderedStream().toArray(GrpcExceptionHandler[]::new)));
	}

	@Bean("io.github.ratelimit.grpcExceptionHandler")
	RateLimitGrpcExceptionHandler rateLimitGrpcExceptionHandler(
			ObjectProvider<GrpcExceptionHandlerMethodResolver> advice) {
		return new RateLimitGrpcExceptionHandler(new AdvisedRejections(advice::getIfAvailable));
	}

	@Bean("io.github.ratelimit.grpcPolicyUse")
	PolicyUse rateLimitGrpcPolicyUse(GrpcPolicies policies) {
		return PolicyUse.of(GrpcProperties.POLICIES, policies::names);
	}

}
