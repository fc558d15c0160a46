-- What a conversation knows for actions after a turn, as JSON; it holds what the visitor gave. NULL: nothing, or its texts are not kept.
ALTER TABLE turns ADD COLUMN action text;
