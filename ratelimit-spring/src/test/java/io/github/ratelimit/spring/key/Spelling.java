package io.github.ratelimit.spring.key;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * One of the many ways to write an address, with what may stand around it.
 */
final class Spelling {

	private final Random random;

	Spelling(Random random) {
		this.random = random;
	}

	/** Spells an address of 4 or 16 bytes; one of 4 may be mapped to IPv6. */
	String of(byte[] address) {
		if (address.length == 16) {
			return around(ipv6(groups(address), dotted(address, 12)));
		}
		String dotted = dotted(address, 0);
		if (this.random.nextBoolean()) {
			return dotted + (this.random.nextBoolean() ? ":" + this.random.nextInt(65_536) : "");
		}
		byte[] mapped = new byte[16];
		mapped[10] = (byte) 0xff;
		mapped[11] = (byte) 0xff;
		System.arraycopy(address, 0, mapped, 12, 4);
		return around(ipv6(groups(mapped), dotted));
	}

	private String around(String ipv6) {
		String zoned = ipv6 + pick("", "", "%eth0", "%1", "%");
		return pick(zoned, "[" + zoned + "]", "[" + zoned + "]:443", "[" + zoned + "]:_port");
	}

	private String ipv6(List<String> groups, String dotted) {
		if (this.random.nextInt(3) == 0) {
			groups.subList(6, 8).clear();
			groups.add(dotted);
		}
		int from = this.random.nextInt(groups.size());
		int to = from;
		while (to < groups.size() && groups.get(to).matches("0+")) {
			to++;
		}
		String text = (to == from) ? String.join(":", groups) : String.join(":", groups.subList(0, from)) + "::"
				+ String.join(":", groups.subList(to, groups.size()));
		return this.random.nextBoolean() ? text : text.toUpperCase(Locale.ROOT);
	}

	private List<String> groups(byte[] address) {
		List<String> groups = new ArrayList<>();
		for (int i = 0; i < address.length; i += 2) {
			int group = ((address[i] & 0xff) << 8) | (address[i + 1] & 0xff);
			groups.add(String.format(pick("%x", "%04x", "%02x", "%03x"), group));
		}
		return groups;
	}

	private static String dotted(byte[] address, int from) {
		return (address[from] & 0xff) + "." + (address[from + 1] & 0xff) + "." + (address[from + 2] & 0xff) + "."
				+ (address[from + 3] & 0xff);
	}

	private String pick(String... choices) {
		return choices[this.random.nextInt(choices.length)];
	}

}
