-- Calls that may ask different things of different counts, but by the same few rules, one after the
-- other. One that fails is told with -1 for all its numbers, and leaves the others alone, unless Redis
-- itself refuses what all of them need.

local times, before, told = 1, 0, {}

local function decide()
local charge = charge
local --TOLD--
--LIMIT--
told[#told + 1] = struct.pack('<--FORMAT--', --TOLD--)
end

while before < #KEYS do
  local decided, failure = pcall(decide)
  if not decided then
    local text = failure.err or failure
    local word = string.match(text, '^%u+')
    if word and word ~= 'WRONGTYPE' then return redis.error_reply(text) end
    told[#told + 1] = string.rep(struct.pack('<d', -1), 3 * --COUNT--)
  end
  before = before + --COUNT--
end
return struct.pack('<dd', now, 1) .. table.concat(told)
