package io.github.ratelimit.spring.web;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The ways to log in by a password.
 */
enum Login {

	BASIC {

		@Override
		Response send(RealClient client, String account, String password, String address) {
			String credentials = Base64.getEncoder()
				.encodeToString((account + ':' + password).getBytes(StandardCharsets.UTF_8));
			return client.send("GET", "/mine",
					Map.of("Authorization", "Basic " + credentials, "X-Forwarded-For", address), "");
		}

		@Override
		boolean isRefused(Response response) {
			return response.status() == 401;
		}

		@Override
		boolean isAdmitted(Response response) {
			return response.status() == 200;
		}

	},

	FORM {

		@Override
		Response send(RealClient client, String account, String password, String address) {
			return client.send("POST", "/login",
					Map.of("Content-Type", "application/x-www-form-urlencoded", "X-Forwarded-For", address),
					"username=" + URLEncoder.encode(account, StandardCharsets.UTF_8) + "&password=" + password);
		}

		@Override
		boolean isRefused(Response response) {
			return String.valueOf(location(response)).endsWith("/login?error");
		}

		@Override
		boolean isAdmitted(Response response) {
			return String.valueOf(location(response)).endsWith("/");
		}

		private @Nullable String location(Response response) {
			return (response.status() == 302) ? response.header("Location") : null;
		}

	};

	abstract Response send(RealClient client, String account, String password, String address);

	abstract boolean isRefused(Response response);

	abstract boolean isAdmitted(Response response);

}
