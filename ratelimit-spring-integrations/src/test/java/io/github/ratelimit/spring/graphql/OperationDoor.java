package io.github.ratelimit.spring.graphql;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

import graphql.ExecutionResult;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.integration.ApplicationDoor;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;
import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.graphql.server.WebGraphQlResponse;
import org.springframework.graphql.support.DefaultExecutionGraphQlResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/** Operations of an application, whose response and events are cancelled. */
abstract class OperationDoor extends ApplicationDoor {

	/** The charge of an operation is kept once decided, also if it does not run. */
	@Override
	protected boolean worksOnceAdmitted() {
		return false;
	}

	@Override
	protected int latestMicros() {
		return 300;
	}

	@Override
	protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		RateLimitGraphQlInterceptor interceptor = start(new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.REACTIVE)
			.properties("spring.graphql.schema.locations=classpath:schema/", "ratelimit.graphql.policies=held,spent"),
				limiter, (beans) -> {
				})
			.getBean(RateLimitGraphQlInterceptor.class);
		return Flux.defer(() -> responses(interceptor, work)).subscribeOn(Schedulers.parallel());
	}

	abstract Publisher<?> responses(RateLimitGraphQlInterceptor interceptor, Supplier<Mono<String>> work);

	static WebGraphQlRequest request(String document) {
		HttpHeaders headers = new HttpHeaders();
		headers.setAccept(List.of(MediaType.TEXT_EVENT_STREAM));
		return new WebGraphQlRequest(URI.create("/graphql"), headers, null, null, Map.of(), Map.of("query", document),
				"1", Locale.ROOT);
	}

	static WebGraphQlResponse response(WebGraphQlRequest request, Object data) {
		return new WebGraphQlResponse(new DefaultExecutionGraphQlResponse(request.toExecutionInput(),
				ExecutionResult.newExecutionResult().data(data).build()));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
