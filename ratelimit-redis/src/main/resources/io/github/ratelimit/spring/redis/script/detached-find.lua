-- Finds a detached charge.
-- KEYS: that of the charge. ARGV: the time in us, below 0 for that of the server.
-- Reply: the time, 1 and -1; then the value, if there is one.

local now = struct.unpack('<d', ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
return struct.pack('<ddd', now, 1, -1) .. (redis.call('GET', KEYS[1]) or '')
