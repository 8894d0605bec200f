package io.github.ratelimit.benchmarks.load;

import java.io.IOException;
import java.util.List;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;

/**
 * Filter as one would write it by hand: it runs the minimal GCRA on Lettuce and sends the
 * remaining permits in the same header fields.
 */
final class GcraFilter implements Filter {

	private static final String POLICY = "\"spread\";q=" + Scenario.SPREAD.burst() + ";w="
			+ Scenario.SPREAD.burst() / Scenario.SPREAD.permits();

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	private final String sha1;

	private final Gcra gcra = Gcra.of(Scenario.SPREAD);

	GcraFilter(int port) {
		this.client = RedisClient.create(RedisURI.create("127.0.0.1", port));
		this.connection = this.client.connect();
		this.sha1 = this.connection.sync().scriptLoad(Script.GCRA);
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		String key = ((HttpServletRequest) request).getHeader(HttpCalls.KEY_HEADER);
		HttpServletResponse answer = (HttpServletResponse) response;
		List<Long> reply = this.connection.sync()
			.evalsha(this.sha1, ScriptOutputType.MULTI, new String[] { Gcra.KEY + key }, this.gcra.interval(),
					this.gcra.most());
		long retrySeconds = (reply.get(2) + 999_999) / 1_000_000;
		answer.setHeader("RateLimit-Policy", POLICY);
		answer.setHeader("RateLimit", "\"spread\";r=" + reply.get(1) + ";t=" + retrySeconds);
		if (reply.get(0) == 1) {
			chain.doFilter(request, response);
		}
		else {
			answer.setHeader("Retry-After", Long.toString(Math.max(1, retrySeconds)));
			answer.setStatus(429);
		}
	}

	@Override
	public void destroy() {
		this.client.shutdown();
	}

}
