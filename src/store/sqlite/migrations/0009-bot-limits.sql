-- What of a bot's document a server has to know before anybody asks for the bot: its limits, as JSON. The document itself is read when a visitor
-- or a page asks for it.
ALTER TABLE bots ADD COLUMN limits TEXT NOT NULL DEFAULT '{}';

-- A patch leaves out what is null, so that only limits that are set stay. What is no JSON is told of when it is read.
UPDATE bots
SET limits = json_patch(
  '{}',
  json_object(
    'rateLimit', json_extract(version.document, '$.rateLimit'),
    'monthlyMessageCap', json_extract(version.document, '$.monthlyMessageCap'),
    'monthlyTokenBudget', json_extract(version.document, '$.monthlyTokenBudget')
  )
)
FROM bot_versions AS version
WHERE version.bot_key = bots.key AND version.version = bots.version AND json_valid(version.document);
