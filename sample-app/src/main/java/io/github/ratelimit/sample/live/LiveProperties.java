package io.github.ratelimit.sample.live;

import java.util.List;
import java.util.regex.Pattern;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the live page.
 *
 * @param instances the origins of all instances of the sample, such as
 * {@code http://localhost:8081}; their pages may call this instance
 * @param maxStreams the most streams of decisions that are open at once
 */
@ConfigurationProperties("sample.live")
record LiveProperties(@DefaultValue List<String> instances, @DefaultValue("100") int maxStreams) {

	/** Origins become part of a header, so nothing else may be in them. */
	private static final Pattern ORIGIN = Pattern.compile("https?://[A-Za-z0-9.-]+(:\\d{1,5})?");

	LiveProperties {
		instances.forEach(LiveProperties::requireOrigin);
		if (maxStreams < 1) {
			throw new IllegalArgumentException("sample.live.max-streams must be at least 1, was " + maxStreams);
		}
	}

	private static void requireOrigin(String origin) {
		if (!ORIGIN.matcher(origin).matches()) {
			throw new IllegalArgumentException(
					"sample.live.instances has origins such as http://localhost:8081, was '" + origin + "'");
		}
	}

}
