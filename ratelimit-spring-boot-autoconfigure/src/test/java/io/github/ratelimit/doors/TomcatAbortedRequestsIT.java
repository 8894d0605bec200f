package io.github.ratelimit.doors;

class TomcatAbortedRequestsIT extends ServletAbortedRequestsContract {

}
