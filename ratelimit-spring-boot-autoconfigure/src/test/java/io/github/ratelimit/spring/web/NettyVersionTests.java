package io.github.ratelimit.spring.web;

import io.netty.util.Version;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NettyVersionTests {

	/**
	 * Before that, a Transfer-Encoding smuggles requests past proxies: CVE-2026-89044.
	 */
	@Test
	void readsTransferEncodingsAsProxiesDo() {
		assertThat(Version.identify()).hasEntrySatisfying("netty-codec-http",
				(version) -> assertThat(version.artifactVersion()).isGreaterThanOrEqualTo("4.2.18"));
	}

}
