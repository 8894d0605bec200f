package io.github.ratelimit.spring.ai;

import java.lang.reflect.Method;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.client.RetryAfter;
import io.github.ratelimit.spring.client.UpstreamPauses;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.client.RestClientResponseException;
import org.springframework.web.reactive.function.client.WebClientResponseException;

/**
 * The pauses that providers demand of the calls of a model.
 */
final class ProviderPauses {

	private final UpstreamPauses pauses;

	private final Policies policies;

	private final Supplier<String> policy;

	/**
	 * Creates the pauses of an advisor.
	 * @param pauses the pauses of upstreams
	 * @param policies the policies
	 * @param policy supplies the name of the policy whose calls are paused, each model on
	 * its own
	 */
	ProviderPauses(UpstreamPauses pauses, Policies policies, Supplier<String> policy) {
		this.pauses = pauses;
		this.policies = policies;
		this.policy = policy;
	}

	/** Throws an UpstreamPausedException if the calls of a model are paused. */
	void requireRunning(String model) {
		this.pauses.requireRunning(this.policies.get(this.policy.get()), model);
	}

	/**
	 * Pauses the calls of a model if that is why a call failed.
	 * @return whether the provider has not worked on the call, as it refused it or was
	 * not reached
	 */
	boolean onFailure(String model, Throwable failure) {
		HttpHeaders headers = ProviderRejection.headers(failure);
		if (headers != null) {
			this.pauses.pause(this.policy.get(), model, RetryAfter.of(headers, this.pauses.date()));
			return true;
		}
		return ProviderRejection.causes(failure)
			.anyMatch((cause) -> cause instanceof ConnectException || cause instanceof UnknownHostException);
	}

	/**
	 * The headers of a response 429 or 503, from the exception that it became: one of
	 * Spring's clients, or one of a provider's own library with methods
	 * {@code statusCode()} and {@code headers()}, as those of OpenAI and Anthropic have.
	 */
	private static final class ProviderRejection {

		private static final boolean WEB_CLIENT = ClassUtils.isPresent(
				"org.springframework.web.reactive.function.client.WebClientResponseException",
				ProviderRejection.class.getClassLoader());

		/** The longest chain of causes that is read, as causes can form a circle. */
		private static final int CAUSES = 16;

		private ProviderRejection() {
		}

		/**
		 * Returns the headers of the response that an exception or one of its causes
		 * stands for.
		 * @return the headers, {@code null} if there is none
		 */
		static @Nullable HttpHeaders headers(Throwable failure) {
			return causes(failure).map(ProviderRejection::ownHeaders).filter(Objects::nonNull).findFirst().orElse(null);
		}

		/** Returns an exception and its causes. */
		static Stream<Throwable> causes(Throwable failure) {
			return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(CAUSES);
		}

		private static @Nullable HttpHeaders ownHeaders(Throwable failure) {
			if (failure instanceof RestClientResponseException response) {
				return RetryAfter.mayPause(response.getStatusCode().value()) ? response.getResponseHeaders() : null;
			}
			if (WEB_CLIENT && failure instanceof WebClientResponseException response) {
				return RetryAfter.mayPause(response.getStatusCode().value()) ? response.getHeaders() : null;
			}
			return (invoke(failure, "statusCode") instanceof Integer status && RetryAfter.mayPause(status))
					? copy(invoke(failure, "headers")) : null;
		}

		private static @Nullable HttpHeaders copy(@Nullable Object headers) {
			if (headers == null) {
				return null;
			}
			HttpHeaders copy = new HttpHeaders();
			for (String name : List.of(HttpHeaders.RETRY_AFTER, HttpHeaders.DATE)) {
				if (invoke(headers, "values", name) instanceof List<?> values) {
					values.forEach((value) -> copy.add(name, String.valueOf(value)));
				}
			}
			return copy;
		}

		/** Calls a public method if there is one of that name. */
		private static @Nullable Object invoke(Object target, String name, Object... arguments) {
			Class<?>[] types = Stream.of(arguments).map(Object::getClass).toArray(Class<?>[]::new);
			Method method = ClassUtils.getMethodIfAvailable(target.getClass(), name, types);
			return (method != null) ? ReflectionUtils
				.invokeMethod(ClassUtils.getPubliclyAccessibleMethodIfPossible(method, null), target, arguments) : null;
		}

	}

}
