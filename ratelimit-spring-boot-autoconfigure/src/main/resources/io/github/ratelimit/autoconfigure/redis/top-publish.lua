-- Keeps the reports of an instance that have changed, and the others as long.
-- KEYS: the set of instances, the reports of this one by policies. ARGV: the name of the instance,
-- how long they are kept in milliseconds, '1' to drop all others, and then for each policy its name
-- and its report, or '' for none any more. Returns 1, or 0 if the others are gone.
if ARGV[3] == '1' then
  redis.call('DEL', KEYS[2])
elseif redis.call('PEXPIRE', KEYS[2], ARGV[2]) == 0 then
  return 0
end
for i = 4, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', KEYS[2], ARGV[i])
  else
    redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
  end
end
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
