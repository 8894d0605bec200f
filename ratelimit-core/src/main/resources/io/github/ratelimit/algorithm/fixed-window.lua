-- Fixed window, the twin of FixedWindow.java.
-- State: permits spent in the window, 1, time the window ends (us).

rules['fixed-window'] = {
  -- Answers the permits spent and the end of the window as one table.
  load = function(key, now, cost, permits, length)
    local spent, ends, dirty = 0, now, false
    local state = redis.call('GET', key)
    if state then
      local tag, unit
      tag, spent, unit, ends = struct.unpack('<c1ddd', state)
      if tag ~= 'f' then
        spent, ends, dirty = ceil(spent / unit), now + length, true
      elseif ends > now + length then
        ends, dirty = now + length, true
      end
      if ends <= now then
        spent = 0
      elseif spent > permits then
        spent = permits
      end
    end
    return { spent, ends }, spent + cost <= permits and 0 or ends - now, dirty
  end,

  settle = function(key, now, cost, permits, length, _, _, state, save)
    local spent, ends = state[1] + cost, state[2]
    if save then
      if ends <= now then ends = now + length end
      local ttl = ceil((ends - now) / 1000) + TTL_MARGIN
      redis.call('SET', key, struct.pack('<c1ddd', 'f', spent, 1, ends), 'PX', ttl)
    end
    return permits - spent, ends > now and ends - now or 0
  end,
}
