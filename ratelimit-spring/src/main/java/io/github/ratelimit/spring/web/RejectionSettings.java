package io.github.ratelimit.spring.web;

import java.util.function.LongSupplier;

import io.github.ratelimit.http.RateLimitHeaders;

import org.springframework.http.HttpStatus;

/**
 * The parts of responses to rejected requests that an application configures.
 *
 * @param headers the headers that report a denial
 * @param jitter supplies the seconds to add to {@code Retry-After}
 * @param banned the status of the response to a banned caller
 * @param customizer customizes each response
 * @param messages the texts of problems
 */
public record RejectionSettings(RateLimitHeaders headers, LongSupplier jitter, HttpStatus banned,
		RateLimitResponseCustomizer customizer, ProblemMessages messages) {

}
