#!lua flags=allow-oom
-- A process of the API says that it is there and whether it accepts commands, and hears how many
-- processes there are and whose limits by address are lifted. A full store takes it too: it writes
-- a few bytes for each process.
--
-- KEYS  1 announcements (sorted set: process by time, ms)  2 since when each has accepted commands
--       without a break (sorted set likewise)  3 the last announcement of any  4 lifted (sorted
--       set: name of an address by end, ms)
-- ARGV  1 the process  2 how long an announcement holds, ms  3 "1": it accepts commands
--
-- Answers  the number of processes, this one among them; since when it has accepted commands, or 0;
--          the names of lifted addresses

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local holds = tonumber(ARGV[2])
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - holds)) do
  redis.call('ZREM', KEYS[1], gone)
  redis.call('ZREM', KEYS[2], gone)
end
redis.call('ZADD', KEYS[1], now, ARGV[1])
if ARGV[3] == '1' then
  redis.call('ZADD', KEYS[2], 'NX', now, ARGV[1])
else
  redis.call('ZREM', KEYS[2], ARGV[1])
end
redis.call('SET', KEYS[3], now)
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
local since = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[1]) or '0')
return {redis.call('ZCARD', KEYS[1]), since, redis.call('ZRANGE', KEYS[4], 0, -1)}
