-- Settles a detached charge, whose counts the rest of the script corrects. Its key follows those of the counts.
-- There is always a text with the span of time, and then one that is 1 if the charge is refunded because its
-- time is over, and else 0.
-- Reply without a correction: the time and -2 if there is no such charge, -3 if it is settled, or -4 if its time
-- is over, or is not over.
do
  local detached = KEYS[#KEYS]
  local charge = redis.call('GET', detached)
  if not charge then return struct.pack('<dd', now, -2) end
  local letter, ends = struct.unpack('<c1d', charge)
  local over = now >= ends
  if letter ~= 'o' then return struct.pack('<dd', now, -3) end
  if over ~= (ARGV[4] == '1') then return struct.pack('<dd', now, -4) end
  -- Written before the counts, so that an error refunds nothing instead of twice.
  if over then
    redis.call('DEL', detached)
  else
    redis.call('SET', detached, struct.pack('<c1d', 's', ends), 'PX', ceil((ends - now) / 1000) + TTL_MARGIN)
  end
end
