package io.github.ratelimit.spring.actuate;

import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import com.jayway.jsonpath.JsonPath;
import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.spring.actuate.HttpOneClient.Response;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.MemoryControlStore;
import io.github.ratelimit.spring.control.Revision;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.OncePerRequestFilter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what an operator learns of controls afterwards: who set them, and how they
 * ended.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("long")
class ControlAuditIT {

	private static final String CONTROLS = "/actuator/ratelimitcontrols";

	private static final String EVE = "principal:eve";

	private static final String DIGEST = KeyDigest.inPlaceOf(EVE);

	private final ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
		.web(WebApplicationType.SERVLET)
		.properties("spring.config.name=audit", "server.port=0", "ratelimit.store=memory",
				"management.endpoints.web.exposure.include=*",
				"management.endpoint.ratelimitcontrols.access=unrestricted", "ratelimit.policies.api.limits=2/1h",
				"ratelimit.policies.api.key=principal", "ratelimit.policies.api.penalty.after=3/1m",
				"ratelimit.policies.api.penalty.block=1s")
		.run();

	@AfterEach
	void close() {
		this.application.close();
	}

	@Test
	void listsAndAuditsWhoSetAControlAndWhatWasLifted(CapturedOutput output) {
		Response ban = send("POST " + CONTROLS + "/ban",
				"{\"policy\": \"api\", \"key\": \"principal:eve\", \"duration\": \"1h\", \"reason\": \"scraper\"}");
		assertThat(JsonPath.<String>read(ban.body(), "$.origin")).isEqualTo("operator");
		assertThat(JsonPath.<String>read(ban.body(), "$.reason")).isEqualTo("scraper");
		assertThat(JsonPath.<String>read(ban.body(), "$.by")).isEqualTo("ada");
		assertThat(JsonPath.<List<String>>read(send("GET " + CONTROLS, "").body(), "$.controls[*].by"))
			.containsExactly("ada");
		String id = JsonPath.read(ban.body(), "$.id");
		assertThat(send("DELETE " + CONTROLS + "/" + id, "").statusCode()).isEqualTo(204);
		assertThat(audited("RATE_LIMIT_LIFT")).satisfies((lift) -> {
			assertThat(lift.getPrincipal()).isEqualTo("ada");
			assertThat(lift.getData()).containsAllEntriesOf(Map.of("id", id, "kind", "ban", "policy", "api", "key",
					DIGEST, "since", JsonPath.read(ban.body(), "$.since"), "until",
					JsonPath.read(ban.body(), "$.until"), "origin", "operator", "by", "ada", "reason", "scraper"));
		});
		assertThat(output.getOut()).contains("controlled by ada: lift").doesNotContain("principal:eve");
	}

	@Test
	void auditsAndLogsBansOfPenaltiesAndTheirEnds(CapturedOutput output) {
		RateLimiter limiter = this.application.getBean(RateLimiter.class);
		await().atMost(Duration.ofSeconds(5)).until(() -> isBanned(limiter));
		assertThat(JsonPath.<List<String>>read(send("GET " + CONTROLS, "").body(), "$.controls[*].origin"))
			.containsExactly("penalty");
		assertThat(audited("RATE_LIMIT_BAN").getData())
			.containsAllEntriesOf(Map.of("policy", "api", "key", DIGEST, "origin", "penalty"));
		await().atMost(Duration.ofSeconds(5)).until(() -> events("RATE_LIMIT_END").count() == 1);
		assertThat(audited("RATE_LIMIT_END").getData())
			.containsAllEntriesOf(Map.of("policy", "api", "key", DIGEST, "kind", "ban", "origin", "penalty"));
		assertThat(output.getOut())
			.containsPattern("The control 'ban-\\S+' of policy 'api' for " + DIGEST + " was set by a penalty until 20")
			.containsPattern("The control 'ban-\\S+' of policy 'api' for " + DIGEST + " has ended")
			.doesNotContain("principal:eve");
	}

	@Test
	void auditsWhatMayOrMayNotHaveTakenEffect() {
		this.application.getBean(Failing.class).failing.set(true);
		String ban = "{\"policy\": \"api\", \"key\": \"principal:eve\", \"for\": \"ever\"}";
		assertThat(send("POST " + CONTROLS + "/ban", ban).statusCode()).isEqualTo(503);
		assertThat(audited("RATE_LIMIT_BAN").getPrincipal()).isEqualTo("ada");
		assertThat(audited("RATE_LIMIT_BAN").getData()).containsExactlyInAnyOrderEntriesOf(
				Map.of("policy", "api", "key", DIGEST, "for", "ever", "effect", "unknown"));
		assertThat(send("DELETE " + CONTROLS + "/ban-1", "").statusCode()).isEqualTo(503);
		assertThat(audited("RATE_LIMIT_LIFT").getData())
			.containsExactlyInAnyOrderEntriesOf(Map.of("id", "ban-1", "effect", "unknown"));
	}

	@Test
	void logsNoLineThatBeginsInTheNameOfAnOperator(CapturedOutput output) {
		this.application.getBean(Ada.class).name = "ada\r\nforged";
		send("POST " + CONTROLS + "/ban", "{\"policy\": \"api\", \"key\": \"principal:eve\", \"duration\": \"1h\"}");
		assertThat(output.getOut()).contains("controlled by ada??forged: ban", "by=ada??forged}");
		assertThat(output.getOut().lines()).noneMatch((line) -> line.startsWith("forged"));
		assertThat(audited("RATE_LIMIT_BAN").getPrincipal()).isEqualTo("ada\r\nforged");
	}

	@Test
	void logsNoLineThatBeginsInAFieldOrAnIdentifier(CapturedOutput output) {
		this.application.getBean(Failing.class).failing.set(true);
		send("POST " + CONTROLS + "/change",
				"{\"policy\": \"api\\nforged\\u2028\", \"mode\": \"off\", \"for\": \"ever\"}");
		send("DELETE " + CONTROLS + "/ban-1%0Aforged", "");
		assertThat(output.getOut()).contains("change {policy=api?forged?, mode=off, for=ever, effect",
				"lift {id=ban-1?forged, effect");
		assertThat(output.getOut().lines()).noneMatch((line) -> line.startsWith("forged"));
	}

	@Test
	void auditsWhyAKeyWasReset(CapturedOutput output) {
		send("POST " + CONTROLS + "/reset",
				"{\"policy\": \"api\", \"key\": \"principal:eve\", \"reason\": \"she asked\"}");
		assertThat(audited("RATE_LIMIT_RESET").getData())
			.isEqualTo(Map.of("policy", "api", "key", DIGEST, "reason", "she asked"));
		assertThat(output.getOut()).contains("reason=she asked").doesNotContain("principal:eve");
	}

	@Test
	void goesOnIfAListenerOfAuditEventsFails(CapturedOutput output) {
		for (String key : List.of("principal:eve", "principal:mallory")) {
			send("POST " + CONTROLS + "/ban", "{\"policy\": \"api\", \"key\": \"" + key + "\", \"for\": \"ever\"}");
		}
		this.application.getBean(Database.class).failure = new NoClassDefFoundError("a/Driver");
		Response erased = send("POST " + CONTROLS + "/erase",
				"{\"policy\": \"api\", \"keys\": \"principal:eve,principal:mallory\"}");
		assertThat(erased.statusCode()).as(erased.body()).isEqualTo(200);
		assertThat(JsonPath.<List<?>>read(erased.body(), "$.lifted")).hasSize(2);
		assertThat(send("GET " + CONTROLS, "").body()).isEqualTo("{\"controls\":[],\"waiting\":[],\"skipped\":{}}");
		assertThat(output.getOut().lines().filter((line) -> line.contains("controlled by ada: "))).hasSize(6);
		assertThat(output.getOut()).contains("A listener of audit events failed", "a/Driver");
	}

	@Test
	void liftsAControlThatItCannotRead(CapturedOutput output) {
		this.application.getBean(Failing.class).put("throttle-1", "v=2&kind=throttle", null);
		this.application.getBean(Controls.class).refresh();
		assertThat(output.getOut()).contains("among them 'throttle-1'");
		assertThat(send("GET " + CONTROLS, "").body()).contains("{\"throttle-1\":\"a control of another version\"}");
		assertThat(send("DELETE " + CONTROLS + "/throttle-1", "").statusCode()).isEqualTo(204);
		assertThat(audited("RATE_LIMIT_LIFT").getData()).isEqualTo(Map.of("id", "throttle-1"));
		assertThat(send("GET " + CONTROLS, "").body()).isEqualTo("{\"controls\":[],\"waiting\":[],\"skipped\":{}}");
	}

	private static boolean isBanned(RateLimiter limiter) {
		try {
			limiter.acquire(Charge.of("api", EVE));
			return false;
		}
		catch (BlockedCallerException ex) {
			return true;
		}
	}

	private AuditEvent audited(String type) {
		return events(type).reduce((first, second) -> {
			throw new AssertionError(first + " and " + second);
		}).orElseThrow();
	}

	private Stream<AuditEvent> events(String type) {
		return this.application.getBean(AuditEventRepository.class).find(null, null, type).stream();
	}

	private Response send(String request, String body) {
		return HttpOneClient.send(this.application, request, body);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Database audit() {
			return new Database();
		}

		@Bean
		Failing failing() {
			return new Failing();
		}

		@Bean
		Ada ada() {
			return new Ada();
		}

	}

	/** A repository that can fail. */
	static class Database extends InMemoryAuditEventRepository {

		private volatile @Nullable Error failure;

		@Override
		public void add(AuditEvent event) {
			if (this.failure != null) {
				throw this.failure;
			}
			super.add(event);
		}

	}

	/** A filter for which all requests are those of one operator. */
	static class Ada extends OncePerRequestFilter {

		private volatile String name = "ada";

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			chain.doFilter(new HttpServletRequestWrapper(request) {

				@Override
				public Principal getUserPrincipal() {
					return () -> Ada.this.name;
				}

			}, response);
		}

	}

	/** A store in memory that can fail. */
	static class Failing implements ControlStore {

		private final ControlStore memory = new MemoryControlStore(InstantSource.system());

		private final AtomicBoolean failing = new AtomicBoolean();

		@Override
		public Changes since(Revision known, boolean all) {
			return working().since(known, all);
		}

		@Override
		public Set<String> put(Map<String, Text> controls) {
			return working().put(controls);
		}

		@Override
		public void remove(String id) {
			working().remove(id);
		}

		@Override
		public Restored restore(Revision known, Stream<Map.Entry<String, Text>> controls) {
			return working().restore(known, controls);
		}

		private ControlStore working() {
			if (this.failing.get()) {
				throw new RateLimitStoreException("failing", null);
			}
			return this.memory;
		}

	}

}
