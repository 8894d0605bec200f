-- Token bucket, the twin of TokenBucket.java, which explains the arithmetic. p is the capacity in parts, q
-- the parts of a permit, r the refill in a tick, s a tick.
-- State: the time of the rule is the start of the state with nothing spent.

local LONGEST_WAIT = 366 * 86400 * 1000000 -- us
local largest = p + r * floor(LONGEST_WAIT / s)
if largest > LARGEST then largest = LARGEST end

--READ--
letter, shortest, stored = LETTERS[1], STATE_BYTES, redis.pcall('GET', key)

--LOAD--
if not stored then
  first = t
else
  if not own then
    spent = spent * q
    if spent > largest then spent = largest end
    if since > t then
      spent = (spent > p and spent or p) + ceil((since - t + t % s) / s) * r
      since = t
    end
    at, first = since, t
  elseif unit ~= q then
    local whole = floor(spent / unit)
    if whole >= floor(largest / q) then
      spent = largest
    else
      spent = whole * q + ceil(spent % unit / unit * q)
    end
  end
  if spent > largest then spent = largest end
  spent = spent - (t - t % s - at + at % s) / s * r
  if spent < 0 then spent = 0 end
end
local lacking = spent - p + required * q
wait = lacking > 0 and ceil(lacking / r) * s - t % s or 0

--REFUND--
if time >= first then
  local elapsed = (t - t % s - time + time % s) / s
  local parts = cost * q - (elapsed > 0 and elapsed * r or 0)
  if parts > 0 then spent = spent > parts and spent - parts or 0 end
end

--WRITE--
spent = spent + cost * q
if spent > p and spent > largest then spent = largest end
reset = spent > 0 and ceil(spent / r) * s - t % s or 0
if save then
  redis.call('SET', key, struct.pack(STATE, LETTERS[1], spent, q, t, ahead, t + reset, first), 'PX',
    ceil(reset / 1000) + TTL_MARGIN)
end
left = spent < p and floor((p - spent) / q) or 0
