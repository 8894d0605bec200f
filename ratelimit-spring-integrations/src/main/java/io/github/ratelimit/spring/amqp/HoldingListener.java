package io.github.ratelimit.spring.amqp;

import java.util.List;

import com.rabbitmq.client.Channel;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;

/**
 * A listener that holds messages while they are denied.
 */
class HoldingListener implements ChannelAwareMessageListener {

	private final ChannelAwareMessageListener delegate;

	private final HeldDeliveries deliveries;

	HoldingListener(ChannelAwareMessageListener delegate, HeldDeliveries deliveries) {
		this.delegate = delegate;
		this.deliveries = deliveries;
	}

	@Override
	public void onMessage(Message message, @Nullable Channel channel) throws Exception {
		this.deliveries.process(() -> this.delegate.onMessage(message, channel), channel);
	}

	@Override
	public void onMessageBatch(List<Message> messages, @Nullable Channel channel) {
		this.deliveries.process(() -> this.delegate.onMessageBatch(messages, channel), channel);
	}

	@Override
	public void containerAckMode(AcknowledgeMode mode) {
		this.delegate.containerAckMode(mode);
	}

	@Override
	public boolean isAsyncReplies() {
		return this.delegate.isAsyncReplies();
	}

}
