-- Token bucket, the twin of TokenBucket.java: see there for the arithmetic.
-- State: parts spent, parts per permit when it was stored, time it was stored (us).

local bucket = {}
rules['token-bucket'] = bucket

local function wait(now, parts, refill, tick)
  if parts <= 0 then return 0 end
  return (floor(now / tick) + ceil(parts / refill)) * tick - now
end

local function in_parts(spent, stored_unit, capacity, unit)
  if stored_unit == unit then return spent end
  local whole = floor(spent / stored_unit)
  if whole >= capacity / unit then return capacity end
  return whole * unit + ceil(spent % stored_unit / stored_unit * unit)
end

function bucket.load(key, now, cost, capacity, unit, refill, tick)
  local spent, dirty = 0, false
  local state = redis.call('GET', key)
  if state then
    local tag, stored_unit, at
    tag, spent, stored_unit, at = struct.unpack('<c1ddd', state)
    if tag ~= 't' then
      spent, stored_unit, at, dirty = ceil(spent / stored_unit), 1, now, true
    elseif at > now then
      at, dirty = now, true
    end
    spent = in_parts(spent, stored_unit, capacity, unit)
    if spent > capacity then spent = capacity end
    local given_back = (floor(now / tick) - floor(at / tick)) * refill
    spent = given_back >= spent and 0 or spent - given_back
  end
  return spent, wait(now, spent + cost * unit - capacity, refill, tick), dirty
end

function bucket.save(key, now, cost, capacity, unit, refill, tick, spent)
  spent = spent + cost * unit
  local ttl = ceil(wait(now, spent, refill, tick) / 1000) + TTL_MARGIN
  redis.call('SET', key, struct.pack('<c1ddd', 't', spent, unit, now), 'PX', ttl)
  return spent
end

function bucket.report(now, capacity, unit, refill, tick, spent)
  return floor((capacity - spent) / unit), wait(now, spent, refill, tick)
end
