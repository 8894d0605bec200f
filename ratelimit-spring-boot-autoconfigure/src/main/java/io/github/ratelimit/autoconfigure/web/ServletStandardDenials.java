package io.github.ratelimit.autoconfigure.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

import io.github.ratelimit.spring.web.PreparedDenials;
import io.github.ratelimit.spring.web.servlet.RateLimitExceptionResolver;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.handler.HandlerExceptionResolverComposite;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/**
 * The standard responses to denials of a servlet application that has nothing of its own
 * in the way of them: no advice, resolver, interceptor or log of handled exceptions.
 */
final class ServletStandardDenials {

	private static final String LOG = "spring.mvc.log-resolved-exception";

	private ServletStandardDenials() {
	}

	static Optional<PreparedDenials> in(ApplicationContext context) {
		if (changesResponses(context)) {
			return Optional.empty();
		}
		return StandardHandler.in(context)
			.flatMap((handler) -> resolver(context).flatMap(ServletStandardDenials::converter)
				.map((converter) -> new PreparedDenials(handler,
						(problem) -> write(ExceptionHandlers.flat(problem), converter))));
	}

	private static boolean changesResponses(ApplicationContext context) {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(context, ResponseBodyAdvice.class).length > 0
				|| context.getEnvironment().getProperty(LOG, Boolean.class, false)
				|| context.getBeanProvider(HandlerExceptionResolver.class)
					.stream()
					.anyMatch((resolver) -> !isStandard(resolver.getClass()));
	}

	private static boolean isStandard(Class<?> resolver) {
		return resolver == RateLimitExceptionResolver.class || resolver == HandlerExceptionResolverComposite.class
				|| resolver.getPackageName().startsWith("org.springframework.boot.");
	}

	/** Returns the resolver that calls exception handlers, if it comes first. */
	private static Optional<ExceptionHandlerExceptionResolver> resolver(ApplicationContext context) {
		return context.getBeanProvider(HandlerExceptionResolverComposite.class)
			.stream()
			.flatMap((composite) -> composite.getExceptionResolvers().stream().limit(1))
			.filter((first) -> first.getClass() == ExceptionHandlerExceptionResolver.class)
			.map(ExceptionHandlerExceptionResolver.class::cast)
			.filter((first) -> first.getErrorResponseInterceptors().isEmpty())
			.findFirst();
	}

	@SuppressWarnings("unchecked")
	private static Optional<HttpMessageConverter<Object>> converter(ExceptionHandlerExceptionResolver resolver) {
		return resolver.getMessageConverters()
			.stream()
			.filter((converter) -> converter.canWrite(ProblemDetail.class, MediaType.APPLICATION_PROBLEM_JSON))
			.map((converter) -> (HttpMessageConverter<Object>) converter)
			.findFirst();
	}

	private static byte[] write(ProblemDetail problem, HttpMessageConverter<Object> converter) {
		Output output = new Output(new HttpHeaders(), new ByteArrayOutputStream());
		try {
			converter.write(problem, MediaType.APPLICATION_PROBLEM_JSON, output);
			return output.body.toByteArray();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** An output in memory. */
	private record Output(HttpHeaders headers, ByteArrayOutputStream body) implements HttpOutputMessage {

		@Override
		public HttpHeaders getHeaders() {
			return this.headers;
		}

		@Override
		public OutputStream getBody() {
			return this.body;
		}

	}

}
