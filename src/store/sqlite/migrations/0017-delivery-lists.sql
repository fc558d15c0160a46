-- Operators list deliveries by state, event and bot, the latest first.
CREATE INDEX deliveries_by_state ON deliveries (state, id);
CREATE INDEX deliveries_by_event ON deliveries (event, id);
DROP INDEX deliveries_by_bot;
CREATE INDEX deliveries_by_bot ON deliveries (bot_key, id);
