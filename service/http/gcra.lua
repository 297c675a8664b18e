#!lua
-- Settles what a process has let pass with a bucket that all processes share. The bucket is one
-- number (GCRA): the time at which it will be empty again. A bucket owes at most another fill.
--
-- KEYS  1 the bucket
-- ARGV  1 tokens spent  2 microseconds for one token  3 how many tokens the bucket holds
--
-- Answers  thousandths of a token that there is room for; below 0: owed

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local pace, size = tonumber(ARGV[2]), tonumber(ARGV[3])
local empty = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
empty = math.min(empty + tonumber(ARGV[1]) * pace, now + 2 * size * pace)
if empty > now then
  redis.call('SET', KEYS[1], string.format('%d', empty), 'PX', math.ceil((empty - now) / 1000) + 1)
end
return math.floor((now + pace * size - empty) * 1000 / pace)
