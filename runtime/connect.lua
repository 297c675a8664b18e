#!lua flags=allow-oom
-- A process of the API says which players are connected to it. A full store takes it too: it writes
-- a few bytes for each player, and removes what holds no longer.
--
-- KEYS  1 connections (sorted set: a player, or a player at a table, by time, ms)
-- ARGV  1 how long an announcement holds, ms  2… who is connected

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[1]))
for i = 2, #ARGV do
  redis.call('ZADD', KEYS[1], now, ARGV[i])
end
return 0
