package io.github.ratelimit.spring.amqp;

import java.util.List;

import com.rabbitmq.client.Channel;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;

/**
 * A listener that holds batches of messages while they are denied.
 */
final class HoldingBatchListener extends HoldingListener implements ChannelAwareBatchMessageListener {

	HoldingBatchListener(ChannelAwareBatchMessageListener delegate, HeldDeliveries deliveries) {
		super(delegate, deliveries);
	}

	@Override
	public void onMessage(Message message, @Nullable Channel channel) throws Exception {
		super.onMessage(message, channel);
	}

	@Override
	public void onMessageBatch(List<Message> messages, @Nullable Channel channel) {
		super.onMessageBatch(messages, channel);
	}

}
