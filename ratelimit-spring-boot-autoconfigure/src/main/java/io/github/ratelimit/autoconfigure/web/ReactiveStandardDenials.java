package io.github.ratelimit.autoconfigure.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.ratelimit.spring.web.PreparedDenials;

import org.springframework.context.ApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.codec.Encoder;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.codec.EncoderHttpMessageWriter;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.reactive.result.method.annotation.ResponseEntityResultHandler;

/**
 * The standard responses to denials of a reactive application that has nothing of its own
 * in the way of them: no advice, result handler or interceptor.
 */
final class ReactiveStandardDenials {

	private static final ResolvableType PROBLEM = ResolvableType.forClass(ProblemDetail.class);

	private ReactiveStandardDenials() {
	}

	/**
	 * Returns the responses.
	 * @param results the handlers of the application's results, in order
	 */
	static Optional<PreparedDenials> in(ApplicationContext context, List<HandlerResultHandler> results) {
		return StandardHandler.in(context)
			.flatMap((handler) -> first(results).flatMap(ReactiveStandardDenials::encoder)
				.map((encoder) -> new PreparedDenials(handler,
						(problem) -> write(ExceptionHandlers.flat(problem), encoder))));
	}

	/** Returns the handler of responses, if all before it are Spring's own. */
	private static Optional<ResponseEntityResultHandler> first(List<HandlerResultHandler> results) {
		return results.stream()
			.filter((handler) -> handler instanceof ResponseEntityResultHandler || !isOfSpring(handler))
			.findFirst()
			.filter((handler) -> handler.getClass() == ResponseEntityResultHandler.class)
			.map(ResponseEntityResultHandler.class::cast)
			.filter((handler) -> handler.getErrorResponseInterceptors().isEmpty());
	}

	private static boolean isOfSpring(HandlerResultHandler handler) {
		return handler.getClass().getPackageName().startsWith("org.springframework.");
	}

	@SuppressWarnings("unchecked")
	private static Optional<Encoder<Object>> encoder(ResponseEntityResultHandler responses) {
		return responses.getMessageWriters()
			.stream()
			.filter((writer) -> writer.canWrite(PROBLEM, MediaType.APPLICATION_PROBLEM_JSON))
			.findFirst()
			.filter(EncoderHttpMessageWriter.class::isInstance)
			.map((writer) -> ((EncoderHttpMessageWriter<Object>) writer).getEncoder());
	}

	private static byte[] write(ProblemDetail problem, Encoder<Object> encoder) {
		DataBuffer buffer = encoder.encodeValue(problem, DefaultDataBufferFactory.sharedInstance, PROBLEM,
				MediaType.APPLICATION_PROBLEM_JSON, Map.of());
		byte[] body = new byte[buffer.readableByteCount()];
		buffer.read(body);
		return body;
	}

}
