package io.github.ratelimit.autoconfigure.store;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for the store. It is chosen by a bean
 * rather than by conditions, so that an application that was processed ahead of time
 * chooses it when it starts.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RateLimitProperties.class)
public final class RateLimitStoreAutoConfiguration {

	private static final Log logger = LogFactory.getLog(RateLimitStoreAutoConfiguration.class);

	private static final String COUNTS = "io.github.ratelimit.store";

	private static final String CONTROLS = "io.github.ratelimit.controlStore";

	@Bean("io.github.ratelimit.storeChoice")
	@ConditionalOnMissingBean
	StoreChoice rateLimitStoreChoice(RateLimitProperties properties, ObjectProvider<SharedStore> shared,
			BeanFactory beans) {
		StoreKinds kinds = new StoreKinds(shared.orderedStream().toList(), new MemoryStores(properties.memory()));
		boolean hasOwnStore = !beans.containsBean(COUNTS);
		StoreChoice choice = hasOwnStore ? kinds.chooseNextToOwn(properties.store()) : kinds.choose(properties.store());
		logger.info("Rate limits are counted " + (hasOwnStore ? "by a bean" : choice.stores().place()) + ", as "
				+ choice.reason());
		return choice;
	}

	@Bean(COUNTS)
	@ConditionalOnMissingBean
	RateLimitStore rateLimitStore(StoreChoice choice) {
		return choice.stores().counts();
	}

	@Bean("io.github.ratelimit.localStore")
	LocalStore rateLimitLocalStore(RateLimitStore store, RateLimitProperties properties) {
		return new LocalStore((store instanceof MemoryRateLimitStore memory) ? memory
				: new MemoryStores(properties.memory()).counts());
	}

	@Bean(CONTROLS)
	@ConditionalOnMissingBean
	ControlStore rateLimitControlStore(StoreChoice choice) {
		return choice.stores().controls();
	}

	@Bean("io.github.ratelimit.unsharedControlsCheck")
	StartCheck rateLimitUnsharedControlsCheck(StoreChoice choice, RateLimitStore store, BeanFactory beans) {
		return new UnsharedControls(choice, store, !beans.containsBean(CONTROLS));
	}

	/** Prepares the store, which was created for {@code Controls} of the same phase. */
	@Bean("io.github.ratelimit.storeStart")
	StartStep rateLimitStoreStart(StoreChoice choice, Policies policies, Findings findings) {
		return new StartStep(() -> choice.stores().start(policies, findings));
	}

}
