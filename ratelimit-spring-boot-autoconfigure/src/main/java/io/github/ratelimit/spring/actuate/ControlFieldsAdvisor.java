package io.github.ratelimit.spring.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.github.ratelimit.spring.actuate.RateLimitControlsEndpoint.AllFields;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationArgumentResolver;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/**
 * An advisor that passes all fields of a request to the endpoint of controls. Spring Boot
 * passes an operation the parameters that it declares and drops all other fields: of a
 * change with a misspelt {@code onStoreFailure}, only the rest would take effect. Nor can
 * a parameter have the name {@code for}. Other endpoints stay as they are.
 */
public final class ControlFieldsAdvisor implements OperationInvokerAdvisor {

	@Override
	public OperationInvoker apply(EndpointId endpointId, OperationType operationType, OperationParameters parameters,
			OperationInvoker invoker) {
		return (endpointId.equals(RateLimitControlsEndpoint.ID) && operationType == OperationType.WRITE)
				? (context) -> invoker.invoke(withFields(context)) : invoker;
	}

	/** Passes the path only if no field has its name, as that would replace it. */
	private static InvocationContext withFields(InvocationContext context) {
		Map<String, Object> fields = new LinkedHashMap<>(context.getArguments());
		boolean isPath = fields.get(RateLimitControlsEndpoint.KIND) instanceof String[];
		Object path = isPath ? fields.remove(RateLimitControlsEndpoint.KIND) : new String[0];
		SecurityContext security = Objects.requireNonNull(context.resolveArgument(SecurityContext.class));
		return new InvocationContext(security, Map.of(RateLimitControlsEndpoint.KIND, path),
				OperationArgumentResolver.of(AllFields.class, () -> new AllFields(fields)));
	}

}
