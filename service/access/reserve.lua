#!lua
-- Reserves one of an owner's slots, unless the same entry already holds one.
--
-- KEYS  1 the slots (sorted set: the entries by time, ms)
-- ARGV  1 the entry  2 the number of slots  3 ms after which all of them expire
--
-- Answers  1 | 0, the time and the entries, each with its time

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not known and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return {0, now, redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')}
end
if not known then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {1}
