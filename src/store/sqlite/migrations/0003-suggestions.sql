-- What was offered to a visitor keeps the labels that it was offered by: names alone become { intent, label }.
UPDATE turns
SET receipt = json_set(
  receipt,
  '$.suggestions',
  (SELECT json_group_array(json_object('intent', value, 'label', value)) FROM json_each(turns.receipt, '$.suggestions'))
)
WHERE json_type(receipt, '$.suggestions[0]') = 'text';
