#!lua flags=no-writes
-- Whether what somebody has read of a stream is there, under the same head, and which batch of it is
-- the first that lies above the mark of its shard. All of it is of one moment, and of one machine: what was
-- read before may have come from another one, which has been replaced since.
--
-- KEYS  1 head (hash)  2 entries (stream)  3 feed (stream)
-- ARGV  1 stream id  2 version  3 head  4 most entries in an answer
--       5 the mark: the number of an entry of the feed  6 its link, or "" if it is not known
--       7 how much of the feed is looked through
--
-- Answers  gone version (the stream ends before) | changed (its head is another one there)
--          | broken (the feed has another entry at the mark, or none)
--          | there version head entries seq link pointer: the entries after the version, how far the feed
--          was looked through, and, if there is one, the number, version and count of the batch

local at = redis.call('HMGET', KEYS[1], 'ver', 'head')
local version, head, asked = tonumber(at[1] or '0'), at[2] or '', tonumber(ARGV[2])
if version < asked then return {'gone', version} end
if version == asked and head ~= ARGV[3] then return {'changed'} end
local missing = {}
if version > asked then
  missing = redis.call('XRANGE', KEYS[2], string.format('%d-0', asked + 1), '+', 'COUNT', ARGV[4])
end
local mark, link = tonumber(ARGV[5]), ARGV[6]
local pointers = redis.call('XRANGE', KEYS[3], ARGV[5] .. '-0', '+', 'COUNT', ARGV[7])
if mark > 0 then
  local first = table.remove(pointers, 1)
  if not first or first[1] ~= ARGV[5] .. '-0' then return {'broken'} end
  if link ~= '' and first[2][8] ~= link then return {'broken'} end
end
local seq, found = mark, {}
for _, entry in ipairs(pointers) do
  seq, link = tonumber(string.match(entry[1], '^%d+')), entry[2][8]
  local reached, count = tonumber(entry[2][4]), tonumber(entry[2][6])
  if entry[2][2] == ARGV[1] and reached - count < asked then
    found = {seq, reached, count}
    break
  end
end
return {'there', version, head, missing, seq, link, found}
