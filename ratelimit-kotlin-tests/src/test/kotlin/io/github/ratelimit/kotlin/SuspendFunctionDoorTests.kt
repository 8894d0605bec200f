package io.github.ratelimit.kotlin

import io.github.ratelimit.RateLimited
import io.github.ratelimit.RateLimiter
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration
import io.github.ratelimit.policy.Policies
import io.github.ratelimit.spring.charge.DoorContract
import java.util.function.Supplier
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.mono
import org.junit.jupiter.api.AfterEach
import org.reactivestreams.Publisher
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration
import org.springframework.boot.test.util.TestPropertyValues
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import reactor.core.publisher.Mono

/** Calls of a suspend function whose coroutines are cancelled. */
open class SuspendFunctionDoorTests : DoorContract() {

    private val application = AnnotationConfigApplicationContext()

    /** A coroutine that is cancelled before its first step calls nothing. */
    override fun worksOnceAdmitted() = false

    override fun latestMicros() = 200

    override fun open(limiter: RateLimiter, work: Supplier<Mono<String>>): Publisher<*> {
        TestPropertyValues.of("ratelimit.store=memory").applyTo(application)
        application.registerBean(RateLimiter::class.java, Supplier { limiter })
        application.registerBean(Policies::class.java, Supplier { policies })
        application.registerBean(Worker::class.java, Supplier { Worker(work) })
        application.register(
            *AutoConfigurations.getClasses(
                AutoConfigurations.of(
                    AopAutoConfiguration::class.java,
                    RateLimitStoreAutoConfiguration::class.java,
                    RateLimitAutoConfiguration::class.java,
                    RateLimitMethodAutoConfiguration::class.java,
                )
            )
        )
        application.refresh()
        val worker = application.getBean(Worker::class.java)
        return mono { worker.work() }
    }

    @AfterEach
    fun close() = application.close()
}

open class Worker(private val work: Supplier<Mono<String>>) {

    @RateLimited(DoorContract.HELD)
    @RateLimited(DoorContract.SPENT)
    open suspend fun work(): String = work.get().awaitSingle()
}
