package io.github.ratelimit.autoconfigure.check;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.event.RateLimitApproached;
import io.github.ratelimit.spring.event.RateLimitDenied;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class CheckTests {

	private final ApplicationContextRunner application = RateLimitContext.inMemory();

	@Test
	void findsDurationsWithoutUnit(CapturedOutput output) {
		this.application
			.withPropertyValues("ratelimit.redis.timeout=2", "ratelimit.policies.x.limits=5/1m",
					"ratelimit.policies.x.max-wait=0", "ratelimit.overrides.timeout=3s")
			.withBean(Limited.class)
			.run((context) -> assertThat(found(context, "duration-without-unit")).containsExactly(
					"The property 'ratelimit.redis.timeout' is '2', which means milliseconds. Write its unit, such as 2s "
							+ "or 2ms."));
		assertThat(output).containsOnlyOnce(
				"[duration-without-unit: see checks.md of the documentation, or set 'ratelimit.checks.ignore' "
						+ "to 'duration-without-unit:ratelimit.redis.timeout']");
	}

	@Test
	void findsPoliciesThatNothingUses() {
		ApplicationContextRunner three = this.application.withPropertyValues("ratelimit.policies.x.limits=5/1m",
				"ratelimit.policies.y.limits=5/1m", "ratelimit.policies.z.shares=y");
		three.withBean(Limited.class)
			.run((context) -> assertThat(found(context, "unused-policy")).containsExactly(
					"Nothing uses the policy 'z': no @RateLimited, no rule, no route of a gateway and no other "
							+ "property names it, and no bean has the RateLimiter or limited clients. Use it or remove it."));
		three.withBean(Limited.class)
			.withPropertyValues("ratelimit.checks.ignore=unused-policy:z")
			.run((context) -> assertThat(found(context, "unused-policy")).isEmpty());
		three.withBean(WithProvider.class).run((context) -> assertThat(found(context, "unused-policy")).isEmpty());
		three
			.withInitializer((context) -> ((BeanDefinitionRegistry) context.getBeanFactory()).registerBeanDefinition(
					"lazy",
					BeanDefinitionBuilder.rootBeanDefinition(WithLimiter.class).setLazyInit(true).getBeanDefinition()))
			.run((context) -> assertThat(found(context, "unused-policy")).isEmpty());
		three.withBean(WithLimiter.class).run((context) -> assertThat(found(context, "unused-policy")).isEmpty());
	}

	@Test
	void findsPoliciesThatAClassAndItsMethodCharge() {
		this.application.withPropertyValues("ratelimit.policies.x.limits=5/1m")
			.withBean(Twice.class)
			.run((context) -> assertThat(found(context, "policy-charged-twice")).containsExactly(
					"A call of Twice.call() charges the policy 'x' twice by the same key. Remove one of the annotations."));
	}

	@Test
	void findsCallsWithinAClass() {
		this.application.withPropertyValues("ratelimit.policies.x.limits=5/1m")
			.withBean(SelfCalling.class)
			.withBean(WithOwnProxy.class)
			.withBean(WithLookup.class)
			.withBean(Generic.class)
			.run((context) -> assertThat(found(context, "self-call")).containsExactly(
					"The method all() of the same class calls SelfCalling.one(), which is not limited then, as the call "
							+ "does not pass the proxy. Move one of them to another bean."));
	}

	@Test
	void findsPenaltiesThatBanNobody() {
		ApplicationContextRunner penalty = this.application.withPropertyValues("ratelimit.policies.x.limits=5/1m",
				"ratelimit.policies.x.penalty.after=3/1m");
		penalty.run((context) -> assertThat(found(context, "penalty-without-caller")).containsExactly(
				"The policy 'x' has a penalty, but its key is 'global', which is never banned. Set a key, such as "
						+ "'client-ip', or remove the penalty."));
		penalty.withBean(OtherKey.class)
			.run((context) -> assertThat(found(context, "penalty-without-caller")).isEmpty());
		penalty.withBean(WithLimiter.class)
			.run((context) -> assertThat(found(context, "penalty-without-caller")).isEmpty());
		penalty.withPropertyValues("ratelimit.policies.x.key=principal")
			.run((context) -> assertThat(found(context, "penalty-without-caller")).isEmpty());
	}

	@Test
	void findsPropertiesThatArgumentsDoNotHave() {
		this.application.withPropertyValues("ratelimit.policies.x.limits=5/1m")
			.withBean(Misspelt.class)
			.run((context) -> assertThat(found(context, "doubtful-expression")).containsExactly(
					"The expression '#user.address.zipp' on Misspelt.nested() is probably wrong: '#user.address' (Address) "
							+ "has no property 'zipp' (did you mean #user.address.zip?)",
					"The expression '#user.nmae' on Misspelt.send() is probably wrong: '#user' (User) has no property 'nmae' "
							+ "(did you mean #user.name?)"));
	}

	@Test
	void startsAlthoughACheckFails() {
		this.application.withPropertyValues("ratelimit.policies.x.limits=5/1m").withBean(StartCheck.class, () -> () -> {
			throw new NoClassDefFoundError("optional");
		}).run((context) -> assertThat(found(context, "unused-policy")).hasSize(1));
	}

	@Test
	void findsLogsThatDoNotFitIntoMemory() {
		this.application
			.withPropertyValues("ratelimit.memory.max-log-size=1MB",
					"ratelimit.policies.x.limits=100000/1d sliding-window-log",
					"ratelimit.policies.y.limits=50000/1d sliding-window-log, 1000000/1d fixed-window")
			.run((context) -> assertThat(found(context, "large-log")).singleElement()
				.asString()
				.contains("'100000/1d'", "up to 1600000 bytes per key", "is 1048576"));
		this.application.withPropertyValues("ratelimit.memory.max-log-size=900GB")
			.run((context) -> assertThat(found(context, "large-log")).singleElement()
				.asString()
				.contains("'ratelimit.memory.max-log-size'", "Set it to less than half of the heap"));
	}

	@Test
	void findsLogsThatAreLargeInRedis() {
		this.application.withBean(LettuceConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", 1))
			.withPropertyValues("ratelimit.store=redis", "ratelimit.memory.max-log-size=1KB",
					"ratelimit.policies.x.limits=1000000/1s sliding-window-log",
					"ratelimit.policies.y.limits=90000/1d sliding-window-log")
			.run((context) -> assertThat(found(context, "large-log"))
				.containsExactly("The limit '1000000/1s' of the policy 'x' remembers each charge, up to 11000000 bytes "
						+ "per key in the store 'redis'. Use 'sliding-window-counter'."));
	}

	@Test
	void findsNoLargeLogsInAStoreOfTheApplication() {
		this.application.withBean(RateLimitStore.class, () -> new TestStore(() -> 0))
			.withPropertyValues("ratelimit.memory.max-log-size=1KB",
					"ratelimit.policies.x.limits=10000000/1d sliding-window-log")
			.run((context) -> assertThat(found(context, "large-log")).isEmpty());
	}

	@Test
	void findsListenersOfEventsThatAreNotPublished() {
		this.application.withBean(Listening.class)
			.run((context) -> assertThat(found(context, "events-disabled"))
				.containsExactly("There is a listener of RateLimitDenied, but these events are not published. Set "
						+ "'ratelimit.events.enabled' to 'true'."));
		this.application.withBean(Listening.class)
			.withPropertyValues("ratelimit.events.enabled=true")
			.run((context) -> assertThat(found(context, "events-disabled")).isEmpty());
	}

	private static List<String> found(ApplicationContext context, String id) {
		return context.getBean(Findings.class)
			.all()
			.stream()
			.filter((finding) -> finding.kind().id().equals(id))
			.map(Finding::message)
			.toList();
	}

	static class OtherKey {

		@RateLimited(policy = "x", key = "#name")
		void call(String name) {
		}

	}

	/** Calls of a limited method that pass its proxy, or that the compiler makes. */
	static class Generic implements Consumer<String> {

		@Override
		@RateLimited("x")
		public void accept(String text) {
			if (!text.isEmpty()) {
				accept("");
			}
		}

	}

	static class WithLookup {

		private final ObjectProvider<WithLookup> self;

		WithLookup(ObjectProvider<WithLookup> self) {
			this.self = self;
		}

		void all() {
			this.self.getObject().one();
		}

		@RateLimited("x")
		void one() {
		}

	}

	static class WithProvider {

		WithProvider(ObjectProvider<RateLimiter> limiter) {
		}

	}

	static class Limited {

		@RateLimited("x")
		void call() {
		}

	}

	static class WithLimiter {

		private final RateLimiter limiter;

		WithLimiter(RateLimiter limiter) {
			this.limiter = limiter;
		}

		boolean call() {
			return this.limiter.acquire(Charge.of("x", "global")).allowed();
		}

	}

	@RateLimited("x")
	static class Twice {

		@RateLimited("x")
		void call() {
		}

		@RateLimited(policy = "x", key = "#key")
		void by(String key) {
		}

	}

	static class SelfCalling {

		void all() {
			one();
			free();
		}

		@RateLimited("x")
		void one() {
		}

		void free() {
		}

	}

	static class WithOwnProxy {

		private WithOwnProxy self = this;

		void all() {
			this.self.one();
		}

		@RateLimited("x")
		void one() {
		}

	}

	record User(String name, Address address) {

	}

	record Address(String zip) {

	}

	static class Misspelt {

		@RateLimited(policy = "x", key = "#user.nmae")
		void send(User user) {
		}

		@RateLimited(policy = "x", key = "#user.address.zipp")
		void nested(User user) {
		}

		@RateLimited(policy = "x", key = "#user.address?.zip", cost = "#map.size + #name.length() + #any.thing")
		void right(User user, Map<String, Integer> map, String name, Object any) {
		}

	}

	static class Listening {

		@EventListener
		void denied(RateLimitDenied event) {
		}

		@EventListener
		void all(ApplicationEvent event) {
		}

		void not(RateLimitApproached event) {
		}

	}

}
