-- 0003 stored the list of suggestions as the text of a JSON array, because a subquery's result is no JSON to SQLite. It becomes an array.
UPDATE turns
SET receipt = json_set(receipt, '$.suggestions', json(receipt ->> '$.suggestions'))
WHERE json_type(receipt, '$.suggestions') = 'text';
