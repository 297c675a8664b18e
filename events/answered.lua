#!lua flags=no-writes
-- What a command that was not appended must know: its own record, if it was appended before, or
-- what the stream holds after the version that the caller knows. Writes nothing.
--
-- KEYS  1 head (hash)  2 entries (stream)  3 commands (hash)
-- ARGV  1 command id, or "" to read the tail only  2 digest  3 known version  4 most entries
--
-- Answers  again first count entries | reused | tail version head status entries

local function entries(first, count)
  return redis.call('XRANGE', KEYS[2], string.format('%d-0', first), '+', 'COUNT', count)
end

local known = ARGV[1] ~= '' and redis.call('HGET', KEYS[3], ARGV[1])
if known then
  local digest, first, count = string.match(known, '^(.*):(%d+):(%d+):%d+$')
  if digest ~= ARGV[2] then return {'reused'} end
  first, count = tonumber(first), tonumber(count)
  return {'again', first, count, entries(first, count)}
end
local at = redis.call('HMGET', KEYS[1], 'ver', 'head', 'st')
local missing = entries(tonumber(ARGV[3]) + 1, tonumber(ARGV[4]))
return {'tail', tonumber(at[1] or '0'), at[2] or '', at[3] or '', missing}
