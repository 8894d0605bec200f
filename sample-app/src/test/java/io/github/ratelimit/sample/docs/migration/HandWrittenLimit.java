package io.github.ratelimit.sample.docs.migration;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * A limiter that is to be replaced: three requests of each address, until it is cleared.
 */
class HandWrittenLimit implements HandlerInterceptor {

	private static final int REQUESTS = 3;

	private final Map<String, Integer> requests = new ConcurrentHashMap<>();

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
		if (this.requests.merge(request.getRemoteAddr(), 1, Integer::sum) <= REQUESTS) {
			return true;
		}
		response.setStatus(HttpStatus.TOO_MANY_REQUESTS.value());
		return false;
	}

	/** Runs once a minute. */
	void clear() {
		this.requests.clear();
	}

}
