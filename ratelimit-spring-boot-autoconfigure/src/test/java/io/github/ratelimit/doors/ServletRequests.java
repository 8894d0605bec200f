package io.github.ratelimit.doors;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.DoorContract;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.server.ResponseStatusException;

/**
 * Requests of Spring MVC in Tomcat that are served asynchronously, each path a door.
 * Clients reset streams of a connection that goes on, as those of a proxy do: the first
 * request upgrades it from HTTP/1.1, and Tomcat closes none for its many resets.
 */
abstract class ServletRequests extends Door {

	/** The time after which a client of many resets gives up a request. */
	private static final Duration LOST = Duration.ofSeconds(5);

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();

	private final String path;

	ServletRequests(String path) {
		this.path = path;
	}

	/** A server drops a request that was reset. */
	@Override
	protected boolean worksOnceAdmitted() {
		return false;
	}

	/** A reset ends a request, and leaves its work as it is. */
	@Override
	protected boolean cancelsWork() {
		return false;
	}

	/** Threads block while a store decides. */
	@Override
	protected boolean isKnown(Deciding deciding) {
		return false;
	}

	@Override
	protected int latestMicros() {
		return 3_000;
	}

	@Override
	ConfigurableApplicationContext start(RateLimiter limiter, Policies policies, Supplier<Mono<String>> work) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.initializers((context) -> {
				GenericApplicationContext beans = (GenericApplicationContext) context;
				beans.registerBean(RateLimiter.class, () -> limiter);
				beans.registerBean(Policies.class, () -> policies);
				beans.registerBean(Controller.class,
						() -> new Controller(() -> work.get().onErrorMap(ServletRequests::handled)));
			})
			.run("--server.port=0", "--server.http2.enabled=true", "--server.shutdown=immediate",
					"--spring.mvc.async.request-timeout=1s", "--ratelimit.store=memory",
					"--ratelimit.rules[0].paths=/rule", "--ratelimit.rules[0].policies=held,spent");
	}

	@Override
	Publisher<?> call(ConfigurableApplicationContext application) {
		String port = application.getEnvironment().getRequiredProperty("local.server.port");
		this.client.sendAsync(get(port, "/upgrade"), BodyHandlers.discarding()).join();
		HttpRequest request = get(port, this.path);
		return Mono.fromFuture(() -> this.client.sendAsync(request, BodyHandlers.discarding()));
	}

	private static HttpRequest get(String port, String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).timeout(LOST).build();
	}

	/** Returns a failure with a status of its own, which is not logged as an error. */
	private static Throwable handled(Throwable failure) {
		return new ResponseStatusException(HttpStatus.CONFLICT, null, failure);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> connectionsGoOn() {
			return (tomcat) -> tomcat.addConnectorCustomizers((connector) -> {
				for (UpgradeProtocol protocol : connector.findUpgradeProtocols()) {
					((Http2Protocol) protocol).setOverheadResetFactor(0);
				}
			});
		}

	}

	@RestController
	static class Controller {

		private final Supplier<Mono<String>> work;

		Controller(Supplier<Mono<String>> work) {
			this.work = work;
		}

		@GetMapping("/rule")
		Mono<String> ruled() {
			return this.work.get();
		}

		@GetMapping("/deferred")
		@RateLimited(DoorContract.HELD)
		@RateLimited(DoorContract.SPENT)
		DeferredResult<String> deferred() {
			DeferredResult<String> result = new DeferredResult<>();
			this.work.get().subscribe(result::setResult, result::setErrorResult);
			return result;
		}

		@GetMapping("/callable")
		@RateLimited(DoorContract.HELD)
		@RateLimited(DoorContract.SPENT)
		Callable<String> callable() {
			return () -> this.work.get().toFuture().getNow("late");
		}

	}

}
