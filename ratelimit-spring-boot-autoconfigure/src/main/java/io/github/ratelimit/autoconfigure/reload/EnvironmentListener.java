package io.github.ratelimit.autoconfigure.reload;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationListener;

/**
 * A listener that reloads the configuration when Spring Cloud has changed the
 * environment.
 */
final class EnvironmentListener implements ApplicationListener<EnvironmentChangeEvent> {

	private final ObjectProvider<ConfigurationReload> reload;

	EnvironmentListener(ObjectProvider<ConfigurationReload> reload) {
		this.reload = reload;
	}

	@Override
	public void onApplicationEvent(EnvironmentChangeEvent event) {
		this.reload.getObject().reload();
	}

}
