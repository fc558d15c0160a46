-- What an answered turn was about, as JSON; it holds words of the visitor. NULL: nothing was answered, or its texts are not kept.
ALTER TABLE turns ADD COLUMN subject TEXT;
