package io.github.ratelimit.autoconfigure.web;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.util.ClassUtils;
import org.springframework.web.filter.CorsFilter;

/**
 * The CORS filters that a request passes: those of the application, and the one in the
 * matching filter chain of Spring Security.
 */
final class ServletCorsFilters implements Function<HttpServletRequest, List<Filter>> {

	private final List<FilterRegistrationBean<?>> registrations;

	private final List<Filter> unregistered;

	private final Function<HttpServletRequest, Stream<Filter>> secured;

	ServletCorsFilters(ListableBeanFactory beans) {
		this.registrations = registrations(beans).filter((one) -> one.getFilter() instanceof CorsFilter).toList();
		this.unregistered = beans.getBeanProvider(CorsFilter.class)
			.orderedStream()
			.filter((filter) -> this.registrations.stream().noneMatch((one) -> filter.equals(one.getFilter())))
			.map(Filter.class::cast)
			.toList();
		boolean hasSecurity = ClassUtils.isPresent("org.springframework.security.web.SecurityFilterChain",
				getClass().getClassLoader());
		this.secured = hasSecurity ? new SecurityChains(beans)::filters : (request) -> Stream.empty();
	}

	private static Stream<FilterRegistrationBean<?>> registrations(ListableBeanFactory beans) {
		return beans.getBeanProvider(FilterRegistrationBean.class)
			.orderedStream()
			.map((registration) -> (FilterRegistrationBean<?>) registration);
	}

	@Override
	public List<Filter> apply(HttpServletRequest request) {
		Stream<Filter> registered = this.registrations.stream()
			.filter((registration) -> registration.isEnabled() && isPassedBy(registration, request))
			.map(FilterRegistrationBean::getFilter);
		return Stream.of(this.secured.apply(request), registered, this.unregistered.stream())
			.flatMap((filters) -> filters)
			.filter(CorsFilter.class::isInstance)
			.distinct()
			.toList();
	}

	private static boolean isPassedBy(FilterRegistrationBean<?> registration, HttpServletRequest request) {
		String info = request.getPathInfo();
		String path = (info != null) ? request.getServletPath() + info : request.getServletPath();
		boolean hasServlets = !registration.getServletNames().isEmpty()
				|| !registration.getServletRegistrationBeans().isEmpty();
		return registration.getUrlPatterns().isEmpty() ? !hasServlets
				: registration.getUrlPatterns().stream().anyMatch(matches(path));
	}

	/** Returns a predicate that matches patterns as servlet containers do. */
	private static Predicate<String> matches(String path) {
		return (pattern) -> pattern.equals(path)
				|| (pattern.endsWith("/*") && (path + "/").startsWith(pattern.substring(0, pattern.length() - 1)))
				|| (pattern.startsWith("*.") && path.endsWith(pattern.substring(1)));
	}

	/**
	 * The filter chains of Spring Security, apart as it may be absent.
	 */
	private static final class SecurityChains {

		private final List<SecurityFilterChain> chains;

		SecurityChains(ListableBeanFactory beans) {
			this.chains = beans.getBeanProvider(SecurityFilterChain.class).orderedStream().toList();
		}

		Stream<Filter> filters(HttpServletRequest request) {
			return this.chains.stream()
				.filter((chain) -> chain.matches(request))
				.limit(1)
				.flatMap((chain) -> chain.getFilters().stream());
		}

	}

}
