#!lua flags=no-writes
-- Tells which processes of the API are there, by the store's own time.
--
-- KEYS  1 announcements (sorted set: process by time, ms)  2 since when each has accepted commands
--       without a break (sorted set likewise)  3 the last announcement of any
-- ARGV  1 how long an announcement holds, ms
--
-- Answers  1 if any has ever announced itself, or 0; since when one has accepted commands, or 0: none does

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local first = 0
for _, process in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. (now - tonumber(ARGV[1])), '+inf')) do
  local since = tonumber(redis.call('ZSCORE', KEYS[2], process) or '0')
  if since > 0 and (first == 0 or since < first) then first = since end
end
return {redis.call('EXISTS', KEYS[3]), first}
