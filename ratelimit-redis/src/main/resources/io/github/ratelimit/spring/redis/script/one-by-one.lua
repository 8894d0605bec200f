-- Requests for different counts whose limits have the same few rules, one after the other. One that fails
-- has -1 for all its results and does not affect the others, unless Redis itself rejects a command that
-- all of them need.

local times, before, replies = 1, 0, {}

local function decide()
local charge, latest = charge, 0
local --RESULTS--
--LIMIT--
replies[#replies + 1] = struct.pack('<--FORMAT--', --RESULTS--)
end

while before < #KEYS do
  local decided, failure = pcall(decide)
  if not decided then
    local text = failure.err or failure
    local code = string.match(text, '^%u+')
    if code and code ~= 'WRONGTYPE' then return redis.error_reply(text) end
    replies[#replies + 1] = string.rep(struct.pack('<d', -1), 3 * --COUNT--)
  end
  before = before + --COUNT--
end
return struct.pack('<dd', now, 1) .. table.concat(replies)
