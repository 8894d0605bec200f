package io.github.ratelimit.spring.grpc;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.finding.LastReload;
import io.grpc.CallOptions;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.security.AuthenticationProcessInterceptor;
import org.springframework.grpc.server.security.GrpcSecurity;
import org.springframework.security.config.Customizer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import static io.github.ratelimit.spring.grpc.GrpcApplication.assertDenied;
import static io.github.ratelimit.spring.grpc.GrpcApplication.calling;
import static org.assertj.core.api.Assertions.assertThat;

/** Limits of all calls by the property. */
@Tag("long")
class GrpcPolicyTests {

	private final ApplicationContextRunner application = GrpcApplication.runner()
		.withBean(GrpcApplication.Echo.class)
		.withPropertyValues("ratelimit.grpc.policies=calls");

	@Test
	void deniesUnaryCalls() {
		this.application.run(calling((client) -> {
			assertThat(client.say("one")).isEqualTo("one");
			assertThat(client.say("two")).isEqualTo("two");
			assertDenied(() -> client.say("three"));
		}));
	}

	@Test
	void chargesThePoliciesOfAReload() {
		this.application.withPropertyValues("ratelimit.reload-interval=50ms").run((context) -> calling((client) -> {
			client.say("one");
			client.say("two");
			reload(context, "second", "ratelimit.policies.second.limits=1/1h");
			Awaitility.await().untilAsserted(() -> assertThat(charged(context)).containsExactly("second"));
			assertThat(client.say("three")).isEqualTo("three");
			assertDenied(() -> client.say("four"));
			reload(context, "nothing");
			Awaitility.await()
				.untilAsserted(() -> assertThat(context.getBean(LastReload.class).get()).extracting("problem")
					.asString()
					.contains("'ratelimit.grpc.policies' has the value '[nothing]'"));
			reload(context, "");
			Awaitility.await().untilAsserted(() -> assertThat(charged(context)).isEmpty());
			assertThat(client.say("five")).isEqualTo("five");
			assertThat(context.getBean(LastReload.class).get()).extracting("needRestart").isEqualTo(List.of());
		}).accept(context));
	}

	private static void reload(ConfigurableApplicationContext context, String policies, String... more) {
		TestPropertyValues.of("ratelimit.grpc.policies=" + policies).and(more).applyTo(context);
	}

	private static Set<String> charged(ConfigurableApplicationContext context) {
		return context.getBean("io.github.ratelimit.grpcPolicyUse", PolicyUse.class).byPolicy().keySet();
	}

	@Test
	void chargesStreamsOnce() {
		this.application.run(calling((client) -> {
			assertThat(client.repeat("one")).containsExactly("one", "one");
			assertThat(client.collect().complete().getCode()).isEqualTo(Status.Code.OK);
			assertDenied(() -> client.repeat("three"));
			assertThat(client.collect().status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
		}));
	}

	@Test
	void chargesAPolicyThatIsNamedTwiceOnce() {
		this.application.withPropertyValues("ratelimit.grpc.policies=calls, calls").run(calling((client) -> {
			client.say("");
			client.say("");
			assertDenied(() -> client.say(""));
		}));
	}

	@Test
	void chargesAllPoliciesOrNone() {
		this.application
			.withPropertyValues("ratelimit.policies.second.limits=1/1h",
					"ratelimit.policies.second.key=header:x-api-key", "ratelimit.grpc.policies=calls, second")
			.run(calling((client) -> {
				EchoClient one = client.with("x-api-key", "one");
				one.say("");
				assertDenied(() -> one.say(""));
				client.with("x-api-key", "two").say("");
				assertDenied(() -> client.with("x-api-key", "three").say(""));
			}));
	}

	@Test
	void limitsEachKeyInMetadata() {
		this.application.withPropertyValues("ratelimit.policies.calls.key=header:X-Api-Key")
			.run(calling(
					(client) -> assertLimitsEach(client.with("x-api-key", "one"), client.with("x-api-key", "two"))));
	}

	@Test
	void limitsEachMethod() {
		this.application.withPropertyValues("ratelimit.policies.calls.key=route").run((context) -> {
			try (EchoClient client = EchoClient.of(context)) {
				client.say("one");
				client.say("two");
				assertDenied(() -> client.say("three"));
				assertThat(client.repeat("one")).containsExactly("one", "one");
				assertThat(context.getBean(RateLimiter.class)
					.peek(List.of(Charge.of("calls", "route:" + EchoGrpc.SAY.getFullMethodName())))
					.allowed()).isFalse();
			}
		});
	}

	@Test
	void limitsEachAddress() {
		this.application.withPropertyValues("ratelimit.policies.calls.key=client-ip").run((context) -> {
			try (EchoClient one = EchoClient.of(context); EchoClient two = EchoClient.from("127.0.0.2", context)) {
				assertLimitsEach(one, two);
			}
		});
	}

	@Test
	void limitsEachAddressBehindATrustedProxy() {
		this.application
			.withPropertyValues("ratelimit.policies.calls.key=client-ip", "ratelimit.http.trusted-proxies=127.0.0.1")
			.run(calling((client) -> assertLimitsEach(client.with("x-forwarded-for", "192.0.2.1"),
					client.with("x-forwarded-for", "192.0.2.2"))));
	}

	@Test
	void limitsEachUserOfSpringSecurity() {
		this.application.withUserConfiguration(Security.class)
			.withPropertyValues("ratelimit.policies.calls.key=principal", "ratelimit.policies.calls.exempt=role:ADMIN")
			.run(calling((client) -> {
				EchoClient admin = client.with("authorization", "Basic YWRtaW46cGFzc3dvcmQ=");
				assertLimitsEach(client.with("authorization", "Basic YWxpY2U6cGFzc3dvcmQ="),
						client.with("authorization", "Basic Ym9iOnBhc3N3b3Jk"));
				assertThat(List.of(admin.say("1"), admin.say("2"), admin.say("3"))).hasSize(3);
			}));
	}

	@Test
	void readsTheMethodAsAPath() {
		this.application
			.withPropertyValues("ratelimit.policies.calls.key=#request.method + #request.path + #request.header('a b')")
			.run(calling((client) -> {
				client.say("");
				client.say("");
				assertDenied(() -> client.say(""));
				assertThat(client.repeat("")).hasSize(2);
			}));
	}

	@Test
	void readsTheAuthorityAsAHost() {
		this.application
			.withPropertyValues("ratelimit.policies.calls.key=host", "ratelimit.policies.calls.on-missing-key=deny")
			.run(calling((client) -> {
				client.say("");
				client.say("");
				assertDenied(() -> client.say(""));
			}));
	}

	@Test
	void takesBinaryMetadataForAbsent() {
		this.application
			.withPropertyValues("ratelimit.policies.calls.key=header:trace-bin",
					"ratelimit.policies.calls.on-missing-key=skip")
			.run(calling(
					(client) -> assertThat(List.of(client.say("1"), client.say("2"), client.say("3"))).hasSize(3)));
	}

	@Test
	void leavesHealthAndReflectionFree() {
		this.application.run(calling((client) -> {
			for (int i = 0; i < 5; i++) {
				assertThat(ClientCalls
					.blockingUnaryCall(client.channel(), HealthGrpc.getCheckMethod(), CallOptions.DEFAULT,
							HealthCheckRequest.getDefaultInstance())
					.getStatus()).isEqualTo(HealthCheckResponse.ServingStatus.SERVING);
				assertThat(services(client)).isPositive();
			}
			client.say("");
		}));
	}

	@Test
	void letsNoCallWaitBeyondItsDeadline() {
		this.application
			.withPropertyValues("ratelimit.policies.calls.algorithm=leaky-bucket",
					"ratelimit.policies.calls.limits=1/1m", "ratelimit.policies.calls.max-wait=5m")
			.run(calling((client) -> {
				client.say("");
				assertDenied(() -> client.say("", CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS)));
			}));
	}

	@Test
	void letsCallsWaitForTheirTurn() {
		this.application
			.withPropertyValues("ratelimit.policies.calls.algorithm=leaky-bucket",
					"ratelimit.policies.calls.limits=20/1s", "ratelimit.policies.calls.max-wait=10s")
			.run(calling((client) -> {
				long start = System.nanoTime();
				for (int i = 0; i < 5; i++) {
					client.say("", CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS));
				}
				assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(150));
			}));
	}

	@Test
	void showsDenialsToInterceptorsAroundIt() {
		StatusRecorder recorder = new StatusRecorder();
		this.application.withBean("recorder", ServerInterceptor.class, () -> recorder).run(calling((client) -> {
			client.say("");
			client.say("");
			assertDenied(() -> client.say(""));
			assertThat(recorder.codes).containsExactly(Status.Code.OK, Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED);
		}));
	}

	@Test
	void limitsNothingWithoutPolicies() {
		this.application.withPropertyValues("ratelimit.grpc.policies=")
			.run(calling(
					(client) -> assertThat(List.of(client.say("1"), client.say("2"), client.say("3"))).hasSize(3)));
	}

	/** Asserts that two clients have two calls each. */
	private static void assertLimitsEach(EchoClient one, EchoClient two) {
		one.say("");
		one.say("");
		assertDenied(() -> one.say(""));
		two.say("");
		two.say("");
		assertDenied(() -> two.say(""));
	}

	private static int services(EchoClient client) {
		CompletableFuture<Integer> services = new CompletableFuture<>();
		StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(client.channel())
			.serverReflectionInfo(new StreamObserver<>() {

				@Override
				public void onNext(ServerReflectionResponse response) {
					services.complete(response.getListServicesResponse().getServiceCount());
				}

				@Override
				public void onError(Throwable failure) {
					services.completeExceptionally(failure);
				}

				@Override
				public void onCompleted() {
				}

			});
		requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
		requests.onCompleted();
		return services.orTimeout(5, TimeUnit.SECONDS).join();
	}

	@Configuration(proxyBeanMethods = false)
	static class Security {

		@Bean
		@GlobalServerInterceptor
		AuthenticationProcessInterceptor authentication(GrpcSecurity security) throws Exception {
			return security.httpBasic(Customizer.withDefaults())
				.authorizeRequests((requests) -> requests.allRequests().authenticated())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("alice").password("{noop}password").roles("USER").build(),
					User.withUsername("bob").password("{noop}password").roles("USER").build(),
					User.withUsername("admin").password("{noop}password").roles("ADMIN").build());
		}

	}

}
