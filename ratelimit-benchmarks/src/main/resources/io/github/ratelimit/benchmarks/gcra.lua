-- A minimal GCRA. Answers whether the call is allowed, how many more would be, and in how many us to retry.
-- ARGV: microseconds per permit, and the most that may be spent ahead.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local due = tonumber(redis.call('GET', KEYS[1]) or 0)
if due < now then due = now end
local ahead = due + interval - now
if ahead > most then return { 0, 0, ahead - most } end
redis.call('SET', KEYS[1], string.format('%.0f', due + interval), 'PX', math.ceil(ahead / 1000) + 500)
return { 1, math.floor((most - ahead) / interval), 0 }
