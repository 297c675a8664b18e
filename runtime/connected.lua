#!lua flags=no-writes
-- Tells who is connected to any process of the API, by the store's own time.
--
-- KEYS  1 connections (sorted set: a player, or a player at a table, by time, ms)
-- ARGV  1 how long an announcement holds, ms  2… who is asked for
--
-- Answers  for each that is asked for: 1 if connected, or 0

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local found = {}
for i = 2, #ARGV do
  local at = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i]) or '0')
  found[i - 1] = at > now - tonumber(ARGV[1]) and 1 or 0
end
return found
