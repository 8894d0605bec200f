package io.github.ratelimit.spring.web.ended;

class TomcatEndedCallsIT extends ServletEndedCallsContract {

}
