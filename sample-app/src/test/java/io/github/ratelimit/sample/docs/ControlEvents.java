package io.github.ratelimit.sample.docs;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * A repository of the audit events of controls, which others do not push out.
 */
@Profile("docs")
@Component
class ControlEvents extends InMemoryAuditEventRepository {

	@Override
	public void add(AuditEvent event) {
		if (event.getType().startsWith("RATE_LIMIT_")) {
			super.add(event);
		}
	}

}
