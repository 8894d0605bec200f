-- Token bucket, the twin of TokenBucket.java: see there for the arithmetic. p is the capacity in parts,
-- q parts per permit, r the refill in a tick, s a tick.
-- State: its own number is the capacity in parts when it was stored.

local LONGEST_WAIT = 366 * 86400 * 1000000 -- us
local largest = p + r * floor(LONGEST_WAIT / s)
if largest > LARGEST then largest = LARGEST end

--READ--
letter, stored = 't', redis.call('GET', key)

--LOAD--
if stored then
  if not own then
    local parts = spent * q
    spent, at = parts < p and parts or p, t
  elseif first ~= p or unit ~= q then
    -- What was spent under another limit: no more than this one holds, and what is owed.
    local function in_parts(whole_and_part)
      if unit == q then return whole_and_part end
      local whole = floor(whole_and_part / unit)
      if whole >= floor(largest / q) then return largest end
      return whole * q + ceil(whole_and_part % unit / unit * q)
    end
    local owed = spent > first and spent - first or 0
    local held = in_parts(spent - owed)
    if held > p then held = p end
    spent, save = held + in_parts(owed), true
    if spent > largest then spent = largest end
  end
  spent = spent - (t - t % s - at + at % s) / s * r
  if spent < 0 then spent = 0 end
end
local lacking = spent + asked * q - p
wait = lacking > 0 and ceil(lacking / r) * s - t % s or 0

--GIVE BACK--
local elapsed = (t - t % s - time + time % s) / s
local parts = cost * q - (elapsed > 0 and elapsed * r or 0)
if parts > 0 then spent = spent > parts and spent - parts or 0 end

--SETTLE--
spent = spent + cost * q
if spent > p and spent > largest then spent = largest end
reset = spent > 0 and ceil(spent / r) * s - t % s or 0
if save then
  redis.call('SET', key, struct.pack(STATE, 't', spent, q, t, ahead, t + reset, p), 'PX',
    ceil(reset / 1000) + TTL_MARGIN)
end
left = spent < p and floor((p - spent) / q) or 0
