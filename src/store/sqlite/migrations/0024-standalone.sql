-- The question that a model made of a message, which stands alone; it holds words of the visitor. NULL: none did, or texts are not kept.
ALTER TABLE turns ADD COLUMN standalone TEXT;
