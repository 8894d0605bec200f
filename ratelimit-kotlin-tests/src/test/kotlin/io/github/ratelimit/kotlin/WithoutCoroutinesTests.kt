package io.github.ratelimit.kotlin

import io.github.ratelimit.policy.InvalidRateLimitConfigurationException
import io.github.ratelimit.RateLimitExceededException
import io.github.ratelimit.RateLimited
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emptyFlow
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.stereotype.Service

/** Kotlin without kotlinx-coroutines-reactor. */
@Tag("without-coroutines")
class WithoutCoroutinesTests {

    private val runner = ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                AopAutoConfiguration::class.java,
                RateLimitStoreAutoConfiguration::class.java,
                RateLimitAutoConfiguration::class.java,
                RateLimitMethodAutoConfiguration::class.java,
            )
        )
        .withPropertyValues("ratelimit.store=memory")

    @Test
    fun `limits functions that do not suspend`() {
        runner.withBean(Plain::class.java).run {
            val plain = it.getBean(Plain::class.java)
            assertThat(plain.call("a")).isEqualTo("a")
            assertThrows<RateLimitExceededException> { plain.call("a") }
            assertThat(plain.call("b")).isEqualTo("b")
        }
    }

    @Test
    fun `decides a flow when the function is called that returns it`() {
        runner.withBean(Plain::class.java).run {
            val plain = it.getBean(Plain::class.java)
            plain.flow()
            assertThrows<RateLimitExceededException> { plain.flow() }
        }
    }

    @Test
    fun `stops the start-up where a function that suspends is limited`() {
        runner.withBean(Suspending::class.java).run {
            assertThat(it.startupFailure).isInstanceOf(InvalidRateLimitConfigurationException::class.java)
                .hasMessageContaining("Suspending.call")
                .hasMessageContaining("kotlinx-coroutines-reactor is not on the class path")
        }
    }

    @Service
    class Plain {

        @RateLimited(limit = "1/1h", key = "#name")
        fun call(name: String) = name

        @RateLimited(limit = "1/1h")
        fun flow(): Flow<Int> = emptyFlow()

        suspend fun free(name: String) = name
    }

    @Service
    class Suspending {

        @RateLimited(limit = "1/1h")
        suspend fun call(name: String) = name
    }
}
