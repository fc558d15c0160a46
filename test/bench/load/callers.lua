-- Plays the global `plan` that wrk.ts writes: requests in turn, conversations that go on, pauses.

local threads = {}

function setup(thread)
  threads[#threads + 1] = thread
end

-- Conversations that wait for their next message, oldest first, and how many messages each has had.
local waiting, first, last, turns_of = {}, 1, 0, {}
local sent = 0
unexpected = 0

local function next_body(body)
  if first > last then return body end
  local id = waiting[first]
  waiting[first] = nil
  first = first + 1
  return body:sub(1, -2) .. ',"conversationId":"' .. id .. '"}'
end

function request()
  sent = sent + 1
  if sent > plan.limit then wrk.thread:stop() end
  local planned = plan.requests[sent % #plan.requests + 1]
  local head, body = planned[1], planned[2]
  if not body then return head end
  body = next_body(body)
  return head .. "Content-Length: " .. #body .. "\r\n\r\n" .. body
end

local function keep_conversation(id)
  local turns = (turns_of[id] or 0) + 1
  if turns < plan.turns then
    turns_of[id] = turns
    last = last + 1
    waiting[last] = id
  else
    turns_of[id] = nil
  end
end

-- To look at answers costs the generator time, so it does where it must.
if plan.turns > 1 or plan.status ~= 200 then
  function response(status, _, body)
    if status ~= plan.status then unexpected = unexpected + 1 end
    local id = plan.turns > 1 and body:match('"conversationId":"([^"]+)"')
    if id then keep_conversation(id) end
  end
end

if plan.pause_ms > 0 then
  function delay()
    return math.random(0, 2 * plan.pause_ms)
  end
end

function done(summary, latency)
  local wrong = plan.status == 200 and summary.errors.status or 0
  for _, thread in ipairs(threads) do
    wrong = wrong + thread:get("unexpected")
  end
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"wrong":%d,"broken":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), wrong,
    errors.connect + errors.read + errors.write + errors.timeout
  ))
end
