-- What no decision can do without: it asks for the time and reads a count, made at the first call.
redis.call('TIME')
if not redis.call('GET', KEYS[1]) then redis.call('SET', KEYS[1], 'a count of 25 characters.') end
return { 1 }
