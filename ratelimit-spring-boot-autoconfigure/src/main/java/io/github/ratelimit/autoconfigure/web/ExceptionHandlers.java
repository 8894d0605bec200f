package io.github.ratelimit.autoconfigure.web;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

import io.github.ratelimit.autoconfigure.failure.PropertyRange;
import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Http;
import io.github.ratelimit.spring.web.FirstAdvice;
import io.github.ratelimit.spring.web.ProblemMessages;
import io.github.ratelimit.spring.web.RateLimitExceptionHandler;
import io.github.ratelimit.spring.web.RateLimitResponseCustomizer;
import io.github.ratelimit.spring.web.RejectionSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.MessageSource;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DelegatingMessageSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * A factory of the exception handler of rejections, which Spring MVC and WebFlux share.
 */
final class ExceptionHandlers {

	private ExceptionHandlers() {
	}

	static <H> H create(Http properties, ObjectProvider<RateLimitResponseCustomizer> customizer,
			ListableBeanFactory beans, BiFunction<RejectionSettings, Integer, H> type) {
		RejectionSettings settings = new RejectionSettings(properties.headers(), jitter(properties.retryAfterJitter()),
				bannedStatus(properties.bannedStatus()),
				flattening(customizer.getIfAvailable(() -> RateLimitResponseCustomizer.NONE)), messages(beans));
		return type.apply(settings, RateLimitExceptionHandler.orderAmong(orders(beans)));
	}

	/**
	 * Returns the messages of the application. A context always has a source of messages,
	 * which has none itself if the application has none.
	 */
	private static ProblemMessages messages(ListableBeanFactory beans) {
		String name = AbstractApplicationContext.MESSAGE_SOURCE_BEAN_NAME;
		MessageSource source = beans.containsBean(name) ? beans.getBean(name, MessageSource.class) : null;
		boolean isEmpty = source == null || (source instanceof DelegatingMessageSource delegating
				&& delegating.getParentMessageSource() == null);
		return isEmpty ? ProblemMessages.NONE : new ProblemMessages(source);
	}

	private static RateLimitResponseCustomizer flattening(RateLimitResponseCustomizer own) {
		return (rejection, standard, request) -> {
			ResponseEntity<?> response = own.customize(rejection, standard, request);
			return (response.getBody() instanceof ProblemDetail problem)
					? ResponseEntity.status(response.getStatusCode()).headers(response.getHeaders()).body(flat(problem))
					: response;
		};
	}

	/**
	 * Returns a problem that every JSON library writes with all members next to each
	 * other. One of the application's own type stays as it is.
	 */
	static ProblemDetail flat(ProblemDetail problem) {
		return (problem.getClass() == ProblemDetail.class) ? new FlatProblem(problem) : problem;
	}

	private static HttpStatus bannedStatus(int code) {
		return PropertyCheck.checked("ratelimit.http.banned-status", code, () -> {
			if (code != HttpStatus.FORBIDDEN.value() && code != HttpStatus.TOO_MANY_REQUESTS.value()) {
				throw new IllegalArgumentException("it is 403 or 429");
			}
			return HttpStatus.valueOf(code);
		});
	}

	private static LongSupplier jitter(Duration most) {
		PropertyRange.require(!most.isNegative(), "ratelimit.http.retry-after-jitter", "not be negative", most);
		return () -> ThreadLocalRandom.current().nextLong(most.toSeconds() + 1);
	}

	private static Map<Class<?>, Integer> orders(ListableBeanFactory beans) {
		Map<Class<?>, Integer> orders = new LinkedHashMap<>();
		for (String name : BeanFactoryUtils.beanNamesForAnnotationIncludingAncestors(beans, ControllerAdvice.class)) {
			Class<?> type = beans.getType(name);
			if (type != null && !RateLimitExceptionHandler.class.isAssignableFrom(type)) {
				orders.put(ClassUtils.getUserClass(type), FirstAdvice.order(name, type, beans));
			}
		}
		return orders;
	}

	/**
	 * A problem that is a map of its members, as any library writes a map by its entries.
	 * Spring moves the extension members up for Jackson only.
	 */
	private static final class FlatProblem extends ProblemDetail implements Map<String, Object> {

		private static final long serialVersionUID = 1;

		FlatProblem(ProblemDetail problem) {
			super(problem);
		}

		private Map<String, Object> members() {
			Map<String, Object> members = new TreeMap<>();
			Map<String, Object> properties = getProperties();
			if (properties != null) {
				properties.forEach((name, value) -> add(members, name, value));
			}
			add(members, "type", getType());
			add(members, "title", getTitle());
			add(members, "status", getStatus());
			add(members, "detail", getDetail());
			add(members, "instance", getInstance());
			return Collections.unmodifiableMap(members);
		}

		private static void add(Map<String, Object> members, String name, @Nullable Object value) {
			if (value != null) {
				members.put(name, value);
			}
		}

		@Override
		public int size() {
			return members().size();
		}

		@Override
		public boolean isEmpty() {
			return false;
		}

		@Override
		public boolean containsKey(Object name) {
			return members().containsKey(name);
		}

		@Override
		public boolean containsValue(Object value) {
			return members().containsValue(value);
		}

		@Override
		public @Nullable Object get(Object name) {
			return members().get(name);
		}

		@Override
		public @Nullable Object put(String name, Object value) {
			return members().put(name, value);
		}

		@Override
		public @Nullable Object remove(Object name) {
			return members().remove(name);
		}

		@Override
		public void putAll(Map<? extends String, ?> others) {
			members().putAll(others);
		}

		@Override
		public void clear() {
			members().clear();
		}

		@Override
		public Set<String> keySet() {
			return members().keySet();
		}

		@Override
		public Collection<Object> values() {
			return members().values();
		}

		@Override
		public Set<Entry<String, Object>> entrySet() {
			return members().entrySet();
		}

	}

}
