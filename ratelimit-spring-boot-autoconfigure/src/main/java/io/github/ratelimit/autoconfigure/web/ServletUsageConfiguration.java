package io.github.ratelimit.autoconfigure.web;

import io.github.ratelimit.spring.key.ServletCallerSource;
import io.github.ratelimit.spring.usage.UsageLookup;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The endpoint that shows callers their own limits, in Spring MVC.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
class ServletUsageConfiguration {

	@Bean("io.github.ratelimit.usageRoute")
	RouterFunction<ServerResponse> rateLimitUsageRoute(UsagePath path, UsageLookup usage) {
		ServletCallerSource callers = new ServletCallerSource();
		return RouterFunctions.route()
			.GET(path.value(),
					(request) -> ServerResponse.async(usage.of(callers.of(request.servletRequest()))
						.thenApply((found) -> ServerResponse.ok().cacheControl(CacheControl.noStore()).body(found))
						.toCompletableFuture()))
			.build();
	}

}
