-- A minimal GCRA.
-- ARGV: microseconds per permit, and the most that may be spent ahead.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local due = tonumber(redis.call('GET', KEYS[1]) or 0)
if due < now then due = now end
due = due + tonumber(ARGV[1])
local ahead = due - now
if ahead > tonumber(ARGV[2]) then return { 0, ahead - tonumber(ARGV[2]) } end
redis.call('SET', KEYS[1], string.format('%.0f', due), 'PX', math.ceil(ahead / 1000) + 500)
return { 1, 0 }
