package io.github.ratelimit.benchmarks.load;

import java.io.IOException;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * A servlet filter as one would write it by hand.
 */
final class GcraFilter implements Filter {

	private final ByHand limit;

	GcraFilter(ByHand limit) {
		this.limit = limit;
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		HttpServletRequest call = (HttpServletRequest) request;
		HttpServletResponse answer = (HttpServletResponse) response;
		Scenario scenario = Scenario.ofPath(call.getRequestURI());
		ByHand.Answer verdict = this.limit.ask(scenario, call.getHeader(HttpCalls.KEY_HEADER));
		verdict.writeTo(scenario, answer::setHeader);
		if (verdict.allowed()) {
			chain.doFilter(request, response);
		}
		else {
			byte[] body = ByHand.Answer.body(scenario, call.getRequestURI());
			answer.setStatus(429);
			answer.setContentLength(body.length);
			answer.getOutputStream().write(body);
		}
	}

}
