package io.github.ratelimit.spring.ai;

import org.reactivestreams.Publisher;

import org.springframework.ai.chat.model.ChatModel;

class ModelStreamDoorTests extends ModelDoor {

	@Override
	Publisher<?> call(ChatModel model) {
		return model.stream("Hello");
	}

}
