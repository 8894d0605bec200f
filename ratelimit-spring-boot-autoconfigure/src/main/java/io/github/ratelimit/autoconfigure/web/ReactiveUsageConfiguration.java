package io.github.ratelimit.autoconfigure.web;

import io.github.ratelimit.spring.key.ReactiveCallerSource;
import io.github.ratelimit.spring.usage.UsageLookup;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The endpoint that shows callers their own limits, in WebFlux.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
class ReactiveUsageConfiguration {

	@Bean("io.github.ratelimit.usageRoute")
	RouterFunction<ServerResponse> rateLimitUsageRoute(UsagePath path, UsageLookup usage,
			ReactiveCallerSource callers) {
		return RouterFunctions.route()
			.GET(path.value(),
					(request) -> callers.of(request.exchange())
						.flatMap((caller) -> Mono.fromCompletionStage(() -> usage.of(caller)))
						.flatMap((found) -> ServerResponse.ok().cacheControl(CacheControl.noStore()).bodyValue(found)))
			.build();
	}

}
