-- The reports of a policy by other instances. Forgets those that are gone.
-- KEYS: the set of instances, the reports of each. ARGV: the policy, the name of each instance.
local reports = {}
for i = 2, #KEYS do
  local report = redis.call('HGET', KEYS[i], ARGV[1])
  if report then
    reports[#reports + 1] = report
  elseif redis.call('HLEN', KEYS[i]) == 0 then
    redis.call('SREM', KEYS[1], ARGV[i])
  end
end
return reports
