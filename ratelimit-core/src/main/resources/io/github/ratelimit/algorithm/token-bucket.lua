-- Token bucket, the twin of TokenBucket.java: see there for the arithmetic.
-- State: parts spent, parts per permit when it was stored, time it was stored (us).

local function in_parts(spent, stored_unit, capacity, unit)
  local whole = floor(spent / stored_unit)
  if whole >= capacity / unit then return capacity end
  return whole * unit + ceil(spent % stored_unit / stored_unit * unit)
end

rules['token-bucket'] = {
  load = function(key, now, cost, capacity, unit, refill, tick)
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
      if stored_unit ~= unit then spent = in_parts(spent, stored_unit, capacity, unit) end
      if spent > capacity then spent = capacity end
      spent = spent - (now - now % tick - at + at % tick) / tick * refill
      if spent < 0 then spent = 0 end
    end
    local lacking = spent + cost * unit - capacity
    return spent, lacking > 0 and ceil(lacking / refill) * tick - now % tick or 0, dirty
  end,

  settle = function(key, now, cost, capacity, unit, refill, tick, spent, save)
    spent = spent + cost * unit
    local reset = spent > 0 and ceil(spent / refill) * tick - now % tick or 0
    if save then
      redis.call('SET', key, struct.pack('<c1ddd', 't', spent, unit, now), 'PX', ceil(reset / 1000) + TTL_MARGIN)
    end
    return floor((capacity - spent) / unit), reset
  end,
}
