package io.github.ratelimit.spring.graphql;

import java.util.List;
import java.util.Objects;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.key.CallRequest;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.key.CallerSource;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SubscriptionMapping;
import org.springframework.stereotype.Controller;

/**
 * A shop whose fields are limited.
 */
@Controller
class Shop {

	private final Catalog catalog = new Catalog();

	private final ObjectProvider<CallerSource> callers;

	Shop(ObjectProvider<CallerSource> callers) {
		this.callers = callers;
	}

	@QueryMapping
	List<Product> products(@Argument @Nullable Integer first) {
		return List.of(new Product("tea", 3), new Product("milk", 1));
	}

	@QueryMapping
	@RateLimited("search")
	List<Product> search(@Argument String text) {
		return this.catalog.search(text);
	}

	@QueryMapping
	@RateLimited("later")
	Mono<String> later() {
		return Mono.just("later");
	}

	@QueryMapping
	@Nullable String caller() {
		Caller caller = CallerSource.firstOf(this.callers.orderedStream().toList()).current();
		CallRequest request = Objects.requireNonNull(caller.request());
		return caller.remoteAddress() + " " + caller.header("X-Api-Key") + " at " + request.host();
	}

	@SubscriptionMapping
	Flux<Integer> prices() {
		return Flux.<Integer>never().startWith(1, 2);
	}

	/** The products of the shop. */
	static final class Catalog {

		List<Product> search(String text) {
			return List.of(new Product(text, 1));
		}

	}

	/**
	 * A product.
	 *
	 * @param name its name
	 * @param price its price
	 */
	record Product(String name, int price) {

	}

}
