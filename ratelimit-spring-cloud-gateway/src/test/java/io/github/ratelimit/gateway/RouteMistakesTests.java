package io.github.ratelimit.gateway;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.gateway.GatewayContract.Application;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

@Tag("long")
class RouteMistakesTests {

	private static final String GATEWAY = "spring.cloud.gateway.server.";

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					webflux | =RateLimit=apo               | there is no policy named 'apo'; there are [api, mails]
					webmvc  | =RateLimit=apo               | there is no policy named 'apo'; there are [api, mails]
					webflux | =RateLimit=mails             | 'form:email' is a key of rules alone
					webmvc  | =RateLimit=mails             | 'form:email' is a key of rules alone
					webflux | .name=RateLimit              | 'policies' must name at least one policy
					webmvc  | .name=RateLimit              | 'policies' must name at least one policy
					webflux | .args.cost=-1                | 'cost' must not be negative, was -1
					webmvc  | .args.cost=-1                | 'cost' must not be negative, was -1
					webflux | .args.cost=3                 | 'api'
					webmvc  | .args.cost=3                 | 'api'
					webflux | .args.charge-wen=true        | there is no argument 'charge-wen'; there are [actual, charge-when, cost, policies, refund-when]
					webmvc  | .args.charge-wen=true        | there is no argument 'charge-wen'; there are [actual, charge-when, cost, policies, refund-when]
					webflux | .args.actual=#respons.status | 'actual'
					webmvc  | .args.actual=#respons.status | 'actual'
					webflux | .args.refund-when=#response.state == 404 | 'refund-when'
					webmvc  | .args.refund-when=#response.state == 404 | 'refund-when'
					webflux | .args.charge-when=#request == null | '#request' is never null here
					webmvc  | .args.charge-when=#request == null | '#request' is never null here
					webflux | .args.actual=#response.size  | uses '#response.size'
					webmvc  | .args.actual=#response.size  | uses '#response.size'
					webflux | .args.ratelimit.policy=apo   | there is no policy named 'apo'; there are [api, mails]
					webmvc  | .args.cost=many              | 'cost' must be a whole number, was 'many'
					webflux | .args.ratelimit.cost=many    | 'ratelimit.cost' must be a whole number, was 'many'
					""")
	void stopTheStartUpWithAMessageThatNamesTheFilter(String flavour, String filter, String message) {
		String property = GATEWAY + flavour + ".routes[0].filters[1]";
		InvalidRateLimitConfigurationException mistake = mistake(flavour, properties(property, filter));
		assertThat(mistake.getMessage()).contains("The filter in '" + property + "'").contains(message);
		assertThat(mistake.getAction()).matches("(Correct|Charge) .*");
	}

	@ParameterizedTest
	@CsvSource({ "webflux, default-filters[0]=RateLimit=apo, default-filters[0]",
			"webmvc, routes-map.r.filters[0]=RateLimit=apo, routes-map.r.filters[0]" })
	void namesTheOtherPlacesOfFilters(String flavour, String filter, String place) {
		String map = GATEWAY + "webmvc.routes-map.r.";
		assertThat(mistake(flavour,
				List.of(GATEWAY + flavour + '.' + filter, map + "uri=http://localhost", map + "predicates[0]=Path=/s"))
			.getMessage()).contains("The filter in '" + GATEWAY + flavour + '.' + place + "'");
	}

	private static List<String> properties(String property, String filter) {
		if (filter.startsWith("=") || filter.startsWith(".name")) {
			return List.of(property + filter);
		}
		boolean isDropIn = filter.contains("ratelimit.");
		return List.of(property + filter, property + ".name=" + (isDropIn ? "RequestRateLimiter" : "RateLimit"),
				property + (filter.contains("ratelimit.policy") ? ".args.more=none"
						: isDropIn ? ".args.ratelimit.policy=api" : ".args.policies[0]=api"));
	}

	private static InvalidRateLimitConfigurationException mistake(String flavour, List<String> properties) {
		String route = GATEWAY + flavour + ".routes[0].";
		String[] all = Stream.concat(Stream.of("ratelimit.policies.api.limits=2/1h",
				"ratelimit.policies.api.key=global", "ratelimit.policies.mails.limits=2/1h",
				"ratelimit.policies.mails.key=form:email", route + "id=s", route + "uri=http://localhost",
				route + "predicates[0]=Path=/r", route + "filters[0]=RateLimit=api"), properties.stream())
			.toArray(String[]::new);
		Throwable failure = catchThrowable(() -> start(flavour, all).close());
		return find(failure);
	}

	private static InvalidRateLimitConfigurationException find(@Nullable Throwable failure) {
		assertThat(failure).isNotNull();
		return (failure instanceof InvalidRateLimitConfigurationException mistake) ? mistake : find(failure.getCause());
	}

	private static ConfigurableApplicationContext start(String flavour, String... properties) {
		return flavour.equals("webflux") ? Gateways.webFlux(Application.class, properties)
				: Gateways.webMvc(Application.class, properties);
	}

}
