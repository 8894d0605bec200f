package io.github.ratelimit.sample.docs;

import io.github.ratelimit.RateLimited;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;

/**
 * A client whose method is limited.
 */
@HttpExchange("/quotes")
interface Quotes {

	@GetExchange("/{symbol}")
	@RateLimited(policy = "quotes", key = "#symbol")
	String quote(@PathVariable String symbol);

}
