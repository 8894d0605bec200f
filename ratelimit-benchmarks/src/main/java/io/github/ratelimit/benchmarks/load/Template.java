package io.github.ratelimit.benchmarks.load;

import java.util.List;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * The minimal GCRA run by a {@link StringRedisTemplate}.
 */
final class Template implements Contender {

	@SuppressWarnings("rawtypes")
	private final RedisScript<List> script = RedisScript.of(Script.GCRA, List.class);

	private final LettuceConnectionFactory connections;

	private final StringRedisTemplate template;

	private Gcra gcra = Gcra.of(Scenario.SPREAD);

	Template(int port) {
		this.connections = new LettuceConnectionFactory("127.0.0.1", port);
		this.connections.afterPropertiesSet();
		this.template = new StringRedisTemplate(this.connections);
	}

	@Override
	public String name() {
		return "StringRedisTemplate, GCRA";
	}

	@Override
	public void prepare(Scenario scenario) {
		this.gcra = Gcra.of(scenario);
	}

	@Override
	public boolean acquire(String key) {
		List<?> reply = this.template.execute(this.script, List.of(Gcra.KEY + key), this.gcra.interval(),
				this.gcra.most());
		return Long.valueOf(1).equals(reply.get(0));
	}

	@Override
	public boolean isAsync() {
		return false;
	}

	@Override
	public void close() {
		this.connections.destroy();
	}

}
