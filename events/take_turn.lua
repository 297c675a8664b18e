#!lua
-- Lets one of several shippers be the one that says what is in the journal: the first to come, for as
-- long as it comes again in time. Whoever follows it has a higher number, by which the store knows an earlier one that
-- has stood still.
--
-- KEYS  1 the turn (hash)
-- ARGV  1 the journal that asks  2 how long its turn lasts if it does not ask again, ms; 0: it ends now
--
-- Answers  has number | waits ms journal

local at = redis.call('HMGET', KEYS[1], 'journal', 'until', 'number')
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local left, number = tonumber(at[2] or '0') - now, tonumber(at[3] or '0')
if at[1] ~= ARGV[1] then
  if left > 0 then return {'waits', left, at[1]} end
  if ARGV[2] == '0' then return {'waits', 0, at[1] or ''} end
  number = number + 1
end
local till = string.format('%d', now + tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], 'journal', ARGV[1], 'until', till, 'number', string.format('%d', number))
return {'has', number}
