package io.github.ratelimit.spring.web;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.http.RateLimitFields;
import io.github.ratelimit.spring.web.ProblemMessages.Texts;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;

/**
 * The standard responses to denials as prepared bytes, as most requests of an attack are
 * denied. The application's own converter writes the body once for the policies that it
 * names and for each language; only the path of the request is put in later. Thread-safe.
 */
public final class PreparedDenials {

	/** The most bodies to keep, as callers with limits of their own may have many. */
	private static final int MOST_BODIES = 256;

	private final RateLimitExceptionHandler<?> handler;

	private final Function<ProblemDetail, byte[]> writer;

	private final Map<Told, Optional<DenialBody>> bodies = new ConcurrentHashMap<>();

	/**
	 * Creates responses.
	 * @param handler the exception handler whose responses these are
	 * @param writer writes a problem detail as the application does
	 */
	public PreparedDenials(RateLimitExceptionHandler<?> handler, Function<ProblemDetail, byte[]> writer) {
		this.handler = handler;
		this.writer = writer;
	}

	/**
	 * Returns the body of a response.
	 * @param path the path of the request, as it was sent
	 * @param denial the denial
	 * @param locale supplies the language of the request, {@code null} for the system's
	 * @return the body, or {@code null} if it cannot be prepared
	 */
	public byte @Nullable [] body(String path, RateLimitExceededException denial, Supplier<@Nullable Locale> locale) {
		if (!DenialBody.canHave(path)) {
			return null;
		}
		Decision decision = denial.getDecision();
		Told told = new Told(RateLimitFields.violatedPolicies(decision), this.handler.texts(denial, locale));
		Optional<DenialBody> known = this.bodies.get(told);
		return ((known != null) ? known : prepare(told, decision)).map((body) -> body.with(path)).orElse(null);
	}

	/**
	 * Writes the headers of a response, without its length and its
	 * {@linkplain #writeReport report}.
	 * @param denial the decision that denied
	 * @param headers takes each name and value
	 */
	public void writeHeaders(Decision denial, BiConsumer<String, String> headers) {
		this.handler.writeRetryAfter(denial, headers);
		headers.accept(HttpHeaders.CACHE_CONTROL, Rejections.NO_STORE);
		headers.accept(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE);
	}

	/**
	 * Writes the headers that report a denial.
	 * @param denial the decision that denied
	 * @param headers takes each name and value
	 */
	public void writeReport(Decision denial, BiConsumer<String, String> headers) {
		this.handler.writeReport(denial, headers);
	}

	private Optional<DenialBody> prepare(Told told, Decision decision) {
		ProblemDetail problem = RateLimitExceptionHandler.problem(decision);
		told.texts().applyTo(problem);
		problem.setInstance(DenialBody.PLACEHOLDER);
		String text = new String(this.writer.apply(problem), StandardCharsets.UTF_8);
		Optional<DenialBody> prepared = DenialBody.of(text);
		if (this.bodies.size() < MOST_BODIES) {
			this.bodies.put(told, prepared);
		}
		return prepared;
	}

	/** The parts of bodies that differ, but for the path. */
	private record Told(List<String> policies, Texts texts) {

	}

}
