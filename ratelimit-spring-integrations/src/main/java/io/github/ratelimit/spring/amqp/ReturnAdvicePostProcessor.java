package io.github.ratelimit.spring.amqp;

import org.aopalliance.aop.Advice;

import org.springframework.amqp.rabbit.config.BaseRabbitListenerContainerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ObjectUtils;

/**
 * A post-processor that puts the advice that returns deliveries before all other advice
 * of a container factory.
 *
 * @param advice the advice
 */
public record ReturnAdvicePostProcessor(ReturnAdvice advice) implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (bean instanceof BaseRabbitListenerContainerFactory<?> factory) {
			Advice[] chain = factory.getAdviceChain();
			factory.setAdviceChain((chain != null) ? ObjectUtils.addObjectToArray(chain, this.advice, 0)
					: new Advice[] { this.advice });
		}
		return bean;
	}

}
