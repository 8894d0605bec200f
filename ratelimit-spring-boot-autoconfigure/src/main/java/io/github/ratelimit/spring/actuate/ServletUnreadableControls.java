package io.github.ratelimit.spring.actuate;

import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;

/**
 * The responses of Spring MVC to controls whose body cannot be read, which reach no
 * endpoint.
 */
public final class ServletUnreadableControls implements HandlerExceptionResolver, Ordered {

	private final UnreadableControls controls;

	/**
	 * Creates responses.
	 * @param endpoints supplies the paths of the endpoints
	 */
	public ServletUnreadableControls(Supplier<PathMappedEndpoints> endpoints) {
		this.controls = new UnreadableControls(endpoints);
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		if (!(ex instanceof HttpMessageNotReadableException) || !isControl(request)) {
			return null;
		}
		ModelAndView problem = new ModelAndView((View) (model, rendered, to) -> {
			to.setContentType(MediaType.APPLICATION_JSON_VALUE);
			to.getOutputStream().write(this.controls.response());
		});
		problem.setStatus(HttpStatus.BAD_REQUEST);
		return problem;
	}

	private boolean isControl(HttpServletRequest request) {
		return request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof String pattern
				&& this.controls.isTheirs(pattern);
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
