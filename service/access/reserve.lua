#!lua
-- Takes one of so many places of somebody's, unless it is taken for the same thing already.
--
-- KEYS  1 the places (sorted set: what each is taken for, by time, ms)
-- ARGV  1 what for  2 how many places there are  3 ms after which all of them are forgotten
--
-- Answers  1 | 0 and what the places are taken for, each with its time

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not known and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return {0, now, redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')}
end
if not known then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {1}
