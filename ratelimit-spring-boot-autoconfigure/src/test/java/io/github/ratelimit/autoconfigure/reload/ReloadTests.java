package io.github.ratelimit.autoconfigure.reload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.finding.LastReload.Reload;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

@ExtendWith(OutputCaptureExtension.class)
@Tag("long")
class ReloadTests {

	private static final int RELOADS = Integer.getInteger("test.reloads", 20);

	@TempDir
	private Path folder;

	private @Nullable ConfigurableApplicationContext context;

	@AfterEach
	void stop() {
		context().close();
	}

	@Test
	void appliesAChangedFileAndKeepsCounts() {
		start("quotes: { limits: 2/1h }");
		assertThat(admitted(3)).isEqualTo(2);
		reload("quotes: { limits: 5/1h }");
		assertThat(admitted(9)).isEqualTo(3);
		assertThat(lastReload()).extracting(Reload::problem).isNull();
	}

	@Test
	void countsFromZeroWhatAlertsWatchOfANewPolicy() {
		start("quotes: { limits: 2/1h }");
		reload("quotes: { limits: 2/1h }, added: { limits: 5/1h }");
		assertThat(context().getBean(MeterRegistry.class)
			.get("ratelimit.requests")
			.tags("policy", "added", "outcome", "failed_open")
			.counter()
			.count()).isZero();
	}

	@Test
	void appliesAChangedConfigurationTree() throws IOException {
		Path tree = Files.createDirectory(this.folder.resolve("tree"));
		Files.writeString(tree.resolve("ratelimit.policies.quotes.limits"), "2/1h");
		start("other: { limits: 1/1s }", "--spring.config.import=configtree:" + tree + "/");
		assertThat(admitted(3)).isEqualTo(2);
		Files.writeString(tree.resolve("ratelimit.policies.quotes.limits"), "3/1h");
		reload();
		assertThat(admitted(3)).isEqualTo(1);
	}

	@Test
	void prefersWhatCameBeforeTheFilesAsAtTheStart() {
		start("quotes: { limits: 2/1h }", "--ratelimit.policies.quotes.limits=1/1h");
		reload("quotes: { limits: 5/1h }");
		assertThat(admitted(3)).isEqualTo(1);
	}

	@Test
	void refusesAFileAsAWholeAndLogsItOnce(CapturedOutput output) {
		start("quotes: { limits: 2/1h }, search: { limits: 1/1s }");
		reload("quotes: { limits: 5/1h }, search: { limits: 1 per second }");
		reload();
		assertThat(admitted(3)).isEqualTo(2);
		assertThat(lastReload().problem())
			.contains("'ratelimit.policies.search.limits[0]' has the value '1 per second'");
		assertThat(output).containsOnlyOnce("was not reloaded, and the earlier one stays in effect");
		reload("quotes: { limits: 2/1h }, search: { limits: 1/1s }");
		assertThat(lastReload().problem()).isNull();
	}

	@Test
	void refusesAFileThatDoesNotParseOrBind() {
		start("quotes: { limits: 2/1h }");
		reload("quotes: { limits: [2/1h");
		assertThat(lastReload().problem()).contains("while parsing");
		reload("quotes: { limits: 5/1h, max-wait: soon }");
		assertThat(lastReload().problem()).contains("ratelimit.policies.quotes.max-wait", "soon");
		assertThat(admitted(3)).isEqualTo(2);
	}

	@Test
	void waitsUntilAFileIsWritten() {
		start("quotes: { limits: 2/1h }");
		write("quotes: { limits: 5/1h }");
		context().getBean(ConfigurationReload.class).reloadIfStable();
		assertThat(admitted(3)).isEqualTo(2);
		context().getBean(ConfigurationReload.class).reloadIfStable();
		assertThat(admitted(9)).isEqualTo(3);
	}

	@Test
	void changesTheKeysOfAnnotations() {
		start("quotes: { limits: 2/1h }, search: { limits: 1/1h }");
		Service service = context().getBean(Service.class);
		service.search("alice");
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.search("bob"));
		reload("quotes: { limits: 2/1h }, search: { limits: 1/1h, key: '#customer', exempt: \"#customer == 'root'\" }");
		assertThatNoException().isThrownBy(() -> service.search("bob"));
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.search("bob"));
		service.search("root");
		assertThatNoException().isThrownBy(() -> service.search("root"));
	}

	@Test
	void refusesWhatDoesNotFitAnAnnotation() {
		start("quotes: { limits: 2/1h }, search: { limits: 1/1h }");
		reload("quotes: { limits: 5/1h }, search: { limits: 1/1h, key: '#client' }");
		assertThat(lastReload().problem()).contains("Service.search", "there is no argument '#client'");
		reload("quotes: { limits: 5/1h }");
		assertThat(lastReload().problem()).contains("Service.search", "there is no policy named 'search'");
		assertThat(admitted(3)).isEqualTo(2);
	}

	@Test
	void leavesControlsInEffect() {
		start("quotes: { limits: 2/1h }");
		Controls controls = context().getBean(Controls.class);
		String id = controls.set(new Change("quotes", List.of(), EnforcementMode.SHADOW, null), null).id();
		reload("quotes: { limits: 5/1h }");
		assertThat(policy("quotes").standard().mode()).isEqualTo(EnforcementMode.SHADOW);
		assertThat(policy("quotes").limits()).hasToString("[5/1h]");
		controls.lift(id);
		assertThat(policy("quotes").standard().mode()).isEqualTo(EnforcementMode.ENFORCE);
		assertThat(policy("quotes").limits()).hasToString("[5/1h]");
	}

	@Test
	void changesOptionsOfPoliciesOfAnnotations() {
		start("quotes: { limits: 2/1h }");
		assertThat(policy("inline").options().onStoreFailure()).isEqualTo(OnStoreFailure.LOCAL);
		write("quotes: { limits: 2/1h }", "ratelimit.on-store-failure: deny");
		reload();
		assertThat(policy("inline").options().onStoreFailure()).isEqualTo(OnStoreFailure.DENY);
	}

	@Test
	void putsAllPoliciesInShadowAndBack() {
		start("quotes: { limits: 2/1h }, some: { limits: 1/1h, enforce: 10% }");
		assertThat(admitted(3)).isEqualTo(2);
		write("quotes: { limits: 2/1h }, some: { limits: 1/1h, enforce: 10% }", "ratelimit.mode: shadow");
		reload();
		assertThat(lastReload().needRestart()).isEmpty();
		assertThat(admitted(3)).isEqualTo(3);
		assertThat(context().getBean(Policies.class).all()).noneMatch(Policy::isEnforced)
			.extracting(Policy::name)
			.contains("inline", "some");
		reload("quotes: { limits: 2/1h }, some: { limits: 1/1h, enforce: 50% }");
		assertThat(admitted(3)).isZero();
		assertThat(policy("some").options().enforced()).hasToString("50%");
		assertThat(policy("inline").isEnforced()).isTrue();
	}

	@Test
	void refusesAShareOfKeysThatIsNone() {
		start("quotes: { limits: 2/1h, enforce: 10% }");
		reload("quotes: { limits: 2/1h, enforce: 0.5 }");
		assertThat(lastReload().problem()).contains("'ratelimit.policies.quotes.enforce' has the value '0.5'");
		assertThat(policy("quotes").options().enforced()).hasToString("10%");
	}

	@Test
	void namesWhatTakesARestart() {
		start("quotes: { limits: 2/1h }, spare: { limits: 1/1s }");
		write("quotes: { limits: 2/1h }", "ratelimit.redis.timeout: 1s", "ratelimit.redis.denial-cache.enabled: false");
		reload();
		assertThat(lastReload().needRestart()).containsExactly("ratelimit.policies.spare",
				"ratelimit.redis.denial-cache.enabled", "ratelimit.redis.timeout");
		assertThatNoException().isThrownBy(() -> policy("spare"));
	}

	@Test
	void stopsEnforcingAllLimitsAndComesBackToTheSameConfiguration() {
		start("quotes: { limits: 2/1h }, other: { limits: 2/1h }");
		String digest = context().getBean(LastReload.class).inEffect().digest();
		assertThat(admitted(3)).isEqualTo(2);
		write("quotes: { limits: 2/1h }, other: { limits: 2/1h }", "ratelimit.mode: shadow");
		reload();
		assertThat(admitted(3)).isEqualTo(3);
		assertThat(context().getBean(LastReload.class).inEffect().digest()).isNotEqualTo(digest);
		reload("quotes: { limits: 2/1h }, other: { limits: 2/1h }");
		assertThat(admitted(3)).isZero();
		assertThat(context().getBean(LastReload.class).inEffect().digest()).isEqualTo(digest);
	}

	@Test
	void warnsOfAControlThatOverridesAChangedPolicy(CapturedOutput output) {
		start("quotes: { limits: 2/1h }, other: { limits: 2/1h }");
		context().getBean(Controls.class).set(new Change("quotes", List.of("7/1h"), null, null), null);
		reload("quotes: { limits: 2/1h }, other: { limits: 3/1h }");
		assertThat(output).doesNotContain("Controls override");
		reload("quotes: { limits: 3/1h }, other: { limits: 4/1h }");
		assertThat(output).containsOnlyOnce("Controls override what the configuration says of the policies [quotes]");
	}

	@Test
	void skipsTheControlsOfARenamedPolicy() {
		start("quotes: { limits: 2/1h }, spare: { limits: 1/1s, key: principal }");
		Controls controls = context().getBean(Controls.class);
		String ban = controls.set(new Ban("spare", "principal:eve"), null).id();
		reload("quotes: { limits: 2/1h }, renamed: { limits: 1/1s, key: principal }");
		assertThat(controls.skipped()).containsOnlyKeys(ban);
		reload("quotes: { limits: 2/1h }, spare: { limits: 1/1s, key: principal }");
		assertThat(controls.skipped()).isEmpty();
	}

	@Test
	void warnsOfAFileThatHasLostItsRulesOrPolicies(CapturedOutput output) {
		start("spare: { limits: 1/1s }, other: { limits: 1/1s }");
		write("other: { limits: 1/1s }", "ratelimit.rules[0].paths: /a", "ratelimit.rules[0].policies: other");
		reload();
		assertThat(output).contains("removed policies: [spare], added rules: [/a [other]]")
			.doesNotContain("The new configuration has no");
		reload("other: { limits: 1/1s }");
		assertThat(output).containsOnlyOnce("The new configuration has no rules, and the earlier one had 1");
		reload("");
		assertThat(output).containsOnlyOnce("The new configuration has no policies, and the earlier one had 1");
	}

	@Test
	void leavesPoliciesOfTheApplication() {
		start("quotes: { limits: 2/1h }");
		context().getBean(Policies.class).add(new Policy("own", policy("inline").limits(), List.of("global")));
		reload("quotes: { limits: 5/1h }");
		assertThat(lastReload().problem()).isNull();
		assertThat(policy("own").limits()).isEqualTo(policy("inline").limits());
	}

	@Test
	void losesNoCountAndFailsNoCallWhileItReloads() {
		start(both("1000000000"));
		AtomicLong admitted = new AtomicLong();
		AtomicBoolean done = new AtomicBoolean();
		CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
			while (!done.get()) {
				admitted.addAndGet(limiter().acquire(Charge.of("quotes", "alice")).allowed() ? 1 : 0);
				assertThat(limitsOfBoth()).hasSize(1).doesNotContain("3000000000/1d");
			}
		});
		for (int i = 0; i < RELOADS; i++) {
			reload(both((i % 2 == 0) ? "2000000000" : "1000000000"));
			assertThat(lastReload().problem()).isNull();
			reload("quotes: { limits: 3000000000/1d }, twin: { limits: nonsense }");
			assertThat(lastReload().problem()).isNotNull();
		}
		done.set(true);
		load.join();
		long limit = policy("quotes").limits().get(0).rate().permits();
		assertThat(admitted.get()).isPositive();
		assertThat(limiter().peek(List.of(new Charge("quotes", "alice", 0))).limits().get(0).remaining())
			.isEqualTo(limit - admitted.get());
	}

	private static String both(String permits) {
		return "quotes: { limits: N/1d fixed-window }, twin: { limits: N/1d fixed-window }".replace("N", permits);
	}

	private ConfigurableApplicationContext context() {
		return Objects.requireNonNull(this.context);
	}

	private Set<String> limitsOfBoth() {
		return context().getBean(Policies.class)
			.all()
			.stream()
			.filter((policy) -> !policy.name().equals("inline"))
			.map((policy) -> policy.limits().get(0).rate().toString())
			.collect(Collectors.toSet());
	}

	private void start(String policies, String... arguments) {
		write(policies);
		this.context = new SpringApplicationBuilder(policies.contains("search") ? WithService.class : Application.class)
			.web(WebApplicationType.NONE)
			.properties("ratelimit.store=memory", "ratelimit.reload-interval=1h", "spring.main.banner-mode=off",
					"spring.config.location=file:" + this.folder + "/limits.yml")
			.run(arguments);
	}

	private void write(String policies, String... more) {
		try {
			Files.writeString(this.folder.resolve("limits.yml"),
					"ratelimit.policies: { " + policies + " }\n" + String.join("\n", more));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void reload(String policies) {
		write(policies);
		reload();
	}

	private void reload() {
		context().getBean(ConfigurationReload.class).reload();
	}

	private Reload lastReload() {
		return Objects.requireNonNull(context().getBean(LastReload.class).get());
	}

	private RateLimiter limiter() {
		return context().getBean(RateLimiter.class);
	}

	private Policy policy(String name) {
		return context().getBean(Policies.class).get(name);
	}

	private long admitted(int calls) {
		long admitted = 0;
		for (int i = 0; i < calls; i++) {
			admitted += limiter().acquire(Charge.of("quotes", "alice")).allowed() ? 1 : 0;
		}
		return admitted;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Inline.class)
	static class Application {

	}

	@Import(Service.class)
	static class WithService extends Application {

	}

	static class Inline {

		@RateLimited(policy = "inline", limit = "9/1m")
		void call() {
		}

	}

	static class Service {

		@RateLimited("search")
		void search(String customer) {
		}

	}

}
