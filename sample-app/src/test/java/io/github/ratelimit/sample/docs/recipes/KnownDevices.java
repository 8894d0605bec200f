package io.github.ratelimit.sample.docs.recipes;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;

import jakarta.servlet.http.Cookie;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.TypedName;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Devices on which a user logged in before: a signed cookie names the account.
 */
@Profile("docs")
@Component
class KnownDevices implements KeyResolver {

	private final byte[] secret;

	KnownDevices(@Value("${devices.secret}") String secret) {
		this.secret = secret.getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public @Nullable String resolve(CallContext call) {
		String device = (call.request() != null) ? call.request().cookie("device") : null;
		String account = TypedName.of(String.valueOf(call.arguments().get("name")));
		boolean isKnown = device != null && MessageDigest.isEqual(device.getBytes(StandardCharsets.UTF_8),
				signature(account).getBytes(StandardCharsets.UTF_8));
		return isKnown ? account : null;
	}

	Cookie cookie(String name) {
		Cookie cookie = new Cookie("device", signature(TypedName.of(name)));
		cookie.setHttpOnly(true);
		cookie.setSecure(true);
		cookie.setMaxAge(180 * 86_400);
		return cookie;
	}

	private String signature(String account) {
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(new SecretKeySpec(this.secret, "HmacSHA256"));
			return HexFormat.of().formatHex(mac.doFinal(account.getBytes(StandardCharsets.UTF_8)));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
