package io.github.ratelimit.spring.web;

import java.util.Random;

/**
 * Text that means harm.
 */
public final class Hostile {

	private static final String[] PIECES = { "", " ", ",", ", ", ";", "=", "\"", "\\", "[", "]", ":", "::", "%", ".",
			"_", "{}", "}", "${jndi:ldap://x/a}", "#{T(java.lang.Runtime).getRuntime().exec('x')}", "@bean",
			"new java.io.File('/')", "0177.1", "127.1", "0x7f.1", "2130706433", "localhost", "example.org", "unknown",
			"_hidden", "1.2.3.4", "1.2.3.4:80", "::1", "fe80::1%eth0", "fe80::1%25../../", "::ffff:1.2.3.4",
			"[2001:db8::1]:443", "for=", "for=\"", "by=", "127.0.0.9", "999.999.999.999", "1:2:3:4:5:6:7:8:9", "\u0661",
			"\r\n", "\r\nX-Injected: 1", "\u0000", "\u0007", "\ud800", "\udc00", "\ufeff", "\u202e", "null", "missing",
			"global", "principal:alice", "{a}b", "' OR 1=1", "../../etc/passwd", "<script>", "*", "\n*1\r\n" };

	private Hostile() {
	}

	/**
	 * A text.
	 * @param random decides on it
	 * @param longest how long the longest is, in characters, which few are
	 * @return a text
	 */
	public static String text(Random random, int longest) {
		StringBuilder text = new StringBuilder();
		int pieces = random.nextInt(12);
		for (int i = 0; i < pieces; i++) {
			text.append((random.nextInt(4) == 0) ? String.valueOf((char) random.nextInt(0x10000))
					: PIECES[random.nextInt(PIECES.length)]);
		}
		if (random.nextInt(1_000) == 0) {
			return (text + ",1").repeat(longest / (text.length() + 2));
		}
		return text.toString();
	}

}
