package io.github.ratelimit.spring.method;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.client.RateLimitedClients;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.reactive.function.client.support.WebClientHttpServiceGroupConfigurer;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import org.springframework.web.service.registry.HttpServiceGroup.ClientType;
import org.springframework.web.service.registry.ImportHttpServices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HttpInterfaceTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.quotes.limits=2/1h", "ratelimit.policies.partner.limits=5/1h");

	@ParameterizedTest
	@ValueSource(classes = { AsBean.class, Imported.class })
	void areLimited(Class<?> configuration) {
		this.context.withUserConfiguration(configuration).run((context) -> {
			Quotes quotes = context.getBean(Quotes.class);
			assertThat(quotes.quote("a") + quotes.quote("a")).isEqualTo("/quotes/a/quotes/a");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> quotes.quote("a"));
			assertThat(quotes.quote("b")).isEqualTo("/quotes/b");
			assertThat(left(context.getBean(RateLimiter.class))).as("left for calls that were made").isEqualTo(2);
		});
	}

	@Test
	void areLimitedOnSubscription() {
		this.context.withUserConfiguration(Reactive.class).run((context) -> {
			Mono<String> quote = context.getBean(ReactiveQuotes.class).quote("a");
			assertThat(quote.block() + quote.block()).isEqualTo("/quotes/a/quotes/a");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(quote::block);
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { RestGroup.class, WebGroup.class })
	void areLimitedByTheirGroup(Class<?> configuration) {
		this.context.withUserConfiguration(configuration)
			.withPropertyValues("ratelimit.clients.partners=partner")
			.run((context) -> {
				Plain plain = context.getBean(Plain.class);
				assertThat(plain.quote("a") + plain.quote("b")).isEqualTo("/quotes/a/quotes/b");
				assertThat(left(context.getBean(RateLimiter.class))).isEqualTo(3);
			});
	}

	@Test
	void showTheUseOfThePolicyOfTheirGroup() {
		this.context.withUserConfiguration(RestGroup.class)
			.withPropertyValues("ratelimit.clients.partners=partner")
			.run((context) -> assertThat(context.getBean(PolicyUse.class).byPolicy())
				.isEqualTo(Map.of("partner", List.of("ratelimit.clients.partners"))));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					partner=partner  | 'ratelimit.clients.partner' limits the HTTP service group 'partner', which does not exist; there are [partners]
					partners=partnr  | 'ratelimit.clients.partners' is 'partnr', but there is no policy named 'partnr'; there are [partner, quotes]
					""")
	void stopTheStartUpIfTheirGroupOrPolicyDoesNotExist(String property, String message) {
		this.context.withUserConfiguration(RestGroup.class)
			.withPropertyValues("ratelimit.clients." + property)
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining(message));
	}

	@Test
	void haveNoBeansOfGroupsWithoutTheProperty() {
		this.context.withUserConfiguration(RestGroup.class)
			.run((context) -> assertThat(context).doesNotHaveBean(PolicyUse.class)
				.doesNotHaveBean("io.github.ratelimit.restClientGroups"));
	}

	private static long left(RateLimiter limiter) {
		return limiter.peek(List.of(Charge.of("partner", "partner.example"))).limits().get(0).remaining();
	}

	private static void configure(RestClient.Builder client, RateLimitedClients clients) {
		client.baseUrl("https://partner.example")
			.requestFactory(HttpInterfaceTests::upstream)
			.requestInterceptor(clients.interceptor("partner"));
	}

	private static ClientHttpRequest upstream(URI uri, HttpMethod method) {
		MockClientHttpRequest request = new MockClientHttpRequest(method, uri);
		request.setResponse(new MockClientHttpResponse(uri.getPath().getBytes(StandardCharsets.UTF_8), HttpStatus.OK));
		return request;
	}

	@HttpExchange("/quotes")
	interface Quotes {

		@GetExchange("/{symbol}")
		@RateLimited(policy = "quotes", key = "#symbol")
		String quote(@PathVariable("symbol") String symbol);

	}

	@HttpExchange("/quotes")
	interface Plain {

		@GetExchange("/{symbol}")
		String quote(@PathVariable("symbol") String symbol);

	}

	interface ReactiveQuotes {

		@GetExchange("/quotes/{symbol}")
		@RateLimited(policy = "quotes", key = "#symbol")
		Mono<String> quote(@PathVariable("symbol") String symbol);

	}

	@Configuration(proxyBeanMethods = false)
	static class AsBean {

		@Bean
		Quotes quotes(RateLimitedClients clients) {
			RestClient.Builder client = RestClient.builder();
			configure(client, clients);
			return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client.build()))
				.build()
				.createClient(Quotes.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportHttpServices(Quotes.class)
	static class Imported {

		@Bean
		RestClientHttpServiceGroupConfigurer partner(RateLimitedClients clients) {
			return (groups) -> groups.forEachClient((group, client) -> configure(client, clients));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportHttpServices(group = "partners", types = Plain.class)
	static class RestGroup {

		@Bean
		RestClientHttpServiceGroupConfigurer upstream() {
			return (groups) -> groups.forEachClient((group, client) -> client.baseUrl("https://partner.example")
				.requestFactory(HttpInterfaceTests::upstream));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportHttpServices(group = "partners", types = Plain.class, clientType = ClientType.WEB_CLIENT)
	static class WebGroup {

		@Bean
		WebClientHttpServiceGroupConfigurer upstream() {
			return (groups) -> groups.forEachClient((group, client) -> client.baseUrl("https://partner.example")
				.exchangeFunction((request) -> Mono
					.just(ClientResponse.create(HttpStatus.OK).body(request.url().getPath()).build())));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Reactive {

		@Bean
		ReactiveQuotes quotes() {
			WebClient client = WebClient.builder()
				.exchangeFunction((request) -> Mono
					.just(ClientResponse.create(HttpStatus.OK).body(request.url().getPath()).build()))
				.build();
			return HttpServiceProxyFactory.builderFor(WebClientAdapter.create(client))
				.build()
				.createClient(ReactiveQuotes.class);
		}

	}

}
