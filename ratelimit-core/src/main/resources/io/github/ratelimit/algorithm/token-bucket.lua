-- Token bucket, the twin of TokenBucket.java: see there for the arithmetic.
-- State: the capacity in parts when it was stored. Parts spent, parts per permit and the time are in
-- the header.

local FORMAT = HEADER .. 'I7'
local LONGEST_WAIT = 366 * 86400 * 1000000 -- us

local function most(capacity, refill, tick)
  local largest = capacity + refill * floor(LONGEST_WAIT / tick)
  return largest < LARGEST and largest or LARGEST
end

rules[#rules + 1] = {
  tag = 't',

  load = function(stored, own, spent, stored_unit, at, t, asked, capacity, unit, refill, tick)
    local changed = false
    if not stored then
      spent = 0
    else
      if not own then
        local parts = spent * unit
        spent, at = parts < capacity and parts or capacity, t
      else
        local stored_capacity = struct.unpack('<I7', stored, HEADER_BYTES + 1)
        if stored_capacity ~= capacity or stored_unit ~= unit then
          -- What was spent under another limit: no more than this one holds, and what is owed.
          local largest = most(capacity, refill, tick)
          local function in_parts(whole_and_part)
            if stored_unit == unit then return whole_and_part end
            local whole = floor(whole_and_part / stored_unit)
            if whole >= floor(largest / unit) then return largest end
            return whole * unit + ceil(whole_and_part % stored_unit / stored_unit * unit)
          end
          local owed = spent > stored_capacity and spent - stored_capacity or 0
          local held = in_parts(spent - owed)
          if held > capacity then held = capacity end
          spent, changed = held + in_parts(owed), true
          if spent > largest then spent = largest end
        end
      end
      spent = spent - (t - t % tick - at + at % tick) / tick * refill
      if spent < 0 then spent = 0 end
    end
    local lacking = spent + asked * unit - capacity
    return spent, lacking > 0 and ceil(lacking / refill) * tick - t % tick or 0, changed
  end,

  give_back = operation == 'GIVE_BACK' and function(spent, t, cost, place, capacity, unit, refill, tick)
    local elapsed = (t - t % tick - place + place % tick) / tick
    local parts = cost * unit - (elapsed > 0 and elapsed * refill or 0)
    if parts <= 0 then return spent end
    return spent > parts and spent - parts or 0
  end,

  settle = function(key, t, skew, cost, _, capacity, unit, refill, tick, spent, save)
    spent = spent + cost * unit
    if spent > capacity then
      local largest = most(capacity, refill, tick)
      if spent > largest then spent = largest end
    end
    local reset = spent > 0 and ceil(spent / refill) * tick - t % tick or 0
    if save then
      redis.call('SET', key, struct.pack(FORMAT, 't', spent, unit, t, skew, t + reset, capacity), 'PX',
        ceil(reset / 1000) + TTL_MARGIN)
    end
    return spent < capacity and floor((capacity - spent) / unit) or 0, reset
  end,
}
