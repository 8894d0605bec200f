-- Keeps a detached charge until it is settled or its time is over.
-- KEYS: that of the charge. ARGV: three numbers in one text: the time in us, below 0 for that of the server,
-- the time in which the charge can be settled, and the time for which it is kept; then the charge.
-- Value: the letter o, or s once it is settled; the time when it can no longer be settled; the charge.
-- Reply: the time and 1.

local now, life, kept = struct.unpack('<ddd', ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
redis.call('SET', KEYS[1], struct.pack('<c1d', 'o', now + life) .. ARGV[2], 'PX', math.ceil(kept / 1000))
return struct.pack('<dd', now, 1)
