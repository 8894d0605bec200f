-- Token bucket, the twin of TokenBucket.java: see there for the arithmetic.
-- State: parts left, parts per permit when it was stored, time it was stored (us).

local token_bucket = {}
rules['token-bucket'] = token_bucket

local function wait(now, parts, refill, tick)
  if parts <= 0 then return 0 end
  return (floor(now / tick) + ceil(parts / refill)) * tick - now
end

-- Answers the parts left now, the wait until the cost fits, and whether the clock stepped back.
function token_bucket.load(key, now, cost, capacity, unit, refill, tick)
  local level, stepped_back = capacity, false
  local state = redis.call('GET', key)
  if state then
    local tag, stored_unit, at
    tag, level, stored_unit, at = struct.unpack('<c1ddd', state)
    if stored_unit ~= unit then
      local whole = floor(level / stored_unit)
      local fraction = level % stored_unit / stored_unit
      level = whole >= capacity / unit and capacity or whole * unit + floor(fraction * unit)
    end
    if level > capacity then level = capacity end
    if at > now then
      at, stepped_back = now, true
    end
    local gained = (floor(now / tick) - floor(at / tick)) * refill
    level = gained >= capacity - level and capacity or level + gained
  end
  return level, wait(now, cost * unit - level, refill, tick), stepped_back
end

function token_bucket.save(key, now, cost, capacity, unit, refill, tick, level)
  level = level - cost * unit
  local ttl = ceil(wait(now, capacity - level, refill, tick) / 1000) + TTL_MARGIN
  redis.call('SET', key, struct.pack('<c1ddd', 't', level, unit, now), 'PX', ttl)
  return level
end

-- Answers the whole permits left and the wait until the bucket is full.
function token_bucket.report(now, capacity, unit, refill, tick, level)
  return floor(level / unit), wait(now, capacity - level, refill, tick)
end
