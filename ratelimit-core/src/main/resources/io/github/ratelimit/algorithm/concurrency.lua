-- Concurrency, the twin of Concurrency.java. p is the permits, q their lease, r its grain.
-- State: the time of the rule is when the state began with nothing held. Then follow the entries, each a time
-- (us), rounded up to a grain, and the permits held since then, the oldest first.

local HELD, HELD_BYTES = '<I7I7', 14
-- The entries are the bytes from oldest_held to past_held in held. Charges now count as made at this_grain.
local held, oldest_held, past_held, this_grain, held_since, held_permits = '', 1, 1

--READ--
letter, shortest, stored = LETTERS[1], STATE_BYTES, redis.pcall('GET', key)
if stored and (#stored - STATE_BYTES) % HELD_BYTES > 0 then shortest = #stored + 1 end

--LOAD--
t, ahead = now, 0
this_grain = ceil(t / r) * r
if not stored then
  first = t
elseif own then
  held, oldest_held, past_held = stored, STATE_BYTES + 1, #stored + 1
  if first > t then first = t end
  if at > t then
    -- The clock stepped back: what was charged later counts as charged now.
    local later = 0
    while past_held > oldest_held do
      held_since, held_permits = struct.unpack(HELD, held, past_held - HELD_BYTES)
      if held_since < this_grain then break end
      later, past_held = later + held_permits, past_held - HELD_BYTES
    end
    if later > 0 then
      held = string.sub(held, 1, past_held - 1) .. struct.pack(HELD, this_grain, later)
      past_held = past_held + HELD_BYTES
    end
  end
else
  first = t
  if since > t and spent < p then spent = p end
  if spent > LARGEST then spent = LARGEST end
  if spent > 0 then held, past_held = struct.pack(HELD, this_grain, spent), HELD_BYTES + 1 end
end

while oldest_held < past_held do
  held_since, held_permits = struct.unpack(HELD, held, oldest_held)
  if held_since > t - q then break end
  spent, oldest_held = spent - held_permits, oldest_held + HELD_BYTES
end

wait = 0
local lacking, next_held = spent + required - p, oldest_held
while lacking > 0 do
  held_since, held_permits = struct.unpack(HELD, held, next_held)
  lacking, next_held, wait = lacking - held_permits, next_held + HELD_BYTES, held_since + q - t
end

--REFUND--
save = true
local from, entry = ceil(time / r) * r, past_held - HELD_BYTES
while entry > oldest_held and struct.unpack(HELD, held, entry) > from do entry = entry - HELD_BYTES end
if entry >= oldest_held and time >= first then
  held_since, held_permits = struct.unpack(HELD, held, entry)
  if held_since == from then
    local kept = held_permits > cost and struct.pack(HELD, from, held_permits - cost) or ''
    spent = spent - (held_permits > cost and cost or held_permits)
    held = string.sub(held, 1, entry - 1) .. kept .. string.sub(held, entry + HELD_BYTES, past_held - 1)
    past_held = #held + 1
  end
end

--WRITE--
local newest_held = 0
if past_held > oldest_held then newest_held = struct.unpack(HELD, held, past_held - HELD_BYTES) end
if cost > 0 then
  local turn = ceil((t + wait) / r) * r
  if turn < newest_held then turn = newest_held end
  if cost > LARGEST - spent then cost = LARGEST - spent end
  held_permits = cost
  if turn == newest_held then
    past_held = past_held - HELD_BYTES
    held_since, held_permits = struct.unpack(HELD, held, past_held)
    held_permits = held_permits + cost
  end
  spent, newest_held = spent + cost, turn
  held = string.sub(held, oldest_held, past_held - 1) .. struct.pack(HELD, turn, held_permits)
  oldest_held, past_held = 1, #held + 1
end
reset = past_held > oldest_held and newest_held + q - t or 0
if save then
  redis.call('SET', key, struct.pack(STATE, LETTERS[1], spent, 1, t, 0, t + reset, first)
    .. string.sub(held, oldest_held, past_held - 1), 'PX', ceil(reset / 1000) + TTL_MARGIN)
end
left = spent < p and p - spent or 0
