-- Takes the detached charges that are due for a refund, which are due again later unless they are removed.
-- KEYS: the sorted set of such charges. ARGV: three numbers in one text: the time in us, below 0 for that of the
-- server, the most charges to take, and the time after which they are due again; then the places to remove.
-- Reply: the time, 1, -1 and the time until the next one is due, below 0 if there is none; then the places that
-- are due, each after its length in one byte. A member that is too long to be a place is replied as empty.

local now, most, again = struct.unpack('<ddd', ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
if #ARGV > 1 then redis.call('ZREM', KEYS[1], unpack(ARGV, 2)) end
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, most)
local places = ''
for i = 1, #due do
  redis.call('ZADD', KEYS[1], now + again, due[i])
  local place = #due[i] < 256 and due[i] or ''
  places = places .. struct.pack('<I1', #place) .. place
end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local next = -1
if first[2] then
  next = tonumber(first[2]) - now
  if next < 0 then next = 0 end
end
return struct.pack('<dddd', now, 1, -1, next) .. places
