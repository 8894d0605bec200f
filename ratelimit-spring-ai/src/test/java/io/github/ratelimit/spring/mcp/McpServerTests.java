package io.github.ratelimit.spring.mcp;

import io.github.ratelimit.spring.mcp.McpApplication.Kind;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.github.ratelimit.spring.mcp.McpApplication.assertAnswered;
import static io.github.ratelimit.spring.mcp.McpApplication.assertDenied;
import static io.github.ratelimit.spring.mcp.McpApplication.call;
import static io.github.ratelimit.spring.mcp.McpApplication.client;
import static org.assertj.core.api.Assertions.assertThat;

/** Tools of all kinds of servers, called over HTTP. */
@Tag("long")
class McpServerTests {

	@ParameterizedTest
	@EnumSource
	void limitsTools(Kind kind) {
		McpApplication.run(kind, (context) -> {
			try (McpSyncClient client = client(context, "first"); McpSyncClient second = client(context, "second")) {
				limitsEachToolByThePropertysPolicies(client, second);
				limitsToolsThatAreCallbacks(client);
				answersDenialsOfAnnotationsInTheSameWay(client);
				leavesOtherFailuresAsTheyAre(client);
				countsEachSession(kind, client, second);
				countsEachSenderOfARequest(kind, client, second);
			}
		});
	}

	private static void limitsEachToolByThePropertysPolicies(McpSyncClient client, McpSyncClient second) {
		assertAnswered(call(client, "weather"), "sunny");
		assertAnswered(call(second, "weather"), "sunny");
		assertDenied(call(client, "weather"), "calls");
		assertDenied(call(second, "weather"), "calls");
	}

	private static void limitsToolsThatAreCallbacks(McpSyncClient client) {
		assertAnswered(call(client, "clock"), "noon");
		assertAnswered(call(client, "clock"), "noon");
		assertDenied(call(client, "clock"), "calls");
	}

	private static void answersDenialsOfAnnotationsInTheSameWay(McpSyncClient client) {
		assertAnswered(call(client, "forecast"), "rain");
		assertDenied(call(client, "forecast"), "forecasts");
		assertDenied(call(client, "forecast"), "calls");
	}

	private static void leavesOtherFailuresAsTheyAre(McpSyncClient client) {
		CallToolResult result = call(client, "fail");
		assertThat(result.isError()).isTrue();
		assertThat(McpApplication.text(result)).contains("out of order");
	}

	private static void countsEachSession(Kind kind, McpSyncClient client, McpSyncClient second) {
		assertAnswered(call(client, "visit"), "welcome");
		CallToolResult other = call(second, "visit");
		if (kind.hasSessions()) {
			assertAnswered(other, "welcome");
		}
		else {
			assertThat(other.isError()).as("all calls share a count").isTrue();
		}
	}

	private static void countsEachSenderOfARequest(Kind kind, McpSyncClient client, McpSyncClient second) {
		assertAnswered(call(client, "greet"), "hello");
		CallToolResult other = call(second, "greet");
		if (kind.hasRequests()) {
			assertAnswered(other, "hello");
		}
		else {
			assertThat(other.isError()).as("all calls share a count").isTrue();
		}
	}

}
