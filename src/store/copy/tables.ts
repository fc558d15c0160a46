import { type CopiedTable, tableOf } from "./copied-table.ts";

const conversationIdIn = (table: string) =>
  `(SELECT id FROM conversations WHERE conversations.key = ${table}.conversation_key)`;

/** Every table that a copy fills, those that others refer to first. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  tableOf("intent_models", {
    order: ["key"],
    columns: { id: "text", unused_since: "bigint", bytes: "bytea" },
  }),
  tableOf("sentence_models", {
    order: ["intent_model"],
    columns: { intent_model: "text", bytes: "bytea" },
    sources: {
      intent_model: "(SELECT id FROM intent_models WHERE intent_models.key = sentence_models.intent_model)",
    },
  }),
  tableOf("bots", {
    order: ["key"],
    columns: {
      key: "bigint",
      id: "text",
      enabled: "boolean",
      version: "bigint",
      intent_model: "text",
      limits: "json",
      created_at: "bigint",
      updated_at: "bigint",
    },
  }),
  tableOf("bot_versions", {
    order: ["key"],
    columns: {
      bot_key: "bigint",
      version: "bigint",
      document: "json",
      created_at: "bigint",
      yaml: "text",
      origin: "text",
      published_by: "text",
      note: "text",
      restored_from: "bigint",
    },
  }),
  tableOf("bot_drafts", {
    order: ["bot_key"],
    columns: {
      bot_key: "bigint",
      revision: "bigint",
      yaml: "text",
      base_version: "bigint",
      updated_at: "bigint",
      updated_by: "text",
    },
  }),
  tableOf("registry", {
    order: ["key"],
    columns: { key: "bigint", generation: "bigint" },
    isSingle: true,
  }),
  tableOf("embed_tokens", {
    order: ["key"],
    columns: {
      key: "bigint",
      id: "text",
      hash: "bytea",
      label: "text",
      created_at: "bigint",
      expires_at: "bigint",
      revoked_at: "bigint",
    },
  }),
  tableOf("embed_token_bots", {
    order: ["embed_token_key", "bot_key"],
    columns: { embed_token_key: "bigint", bot_key: "bigint" },
  }),
  tableOf("conversations", {
    order: ["key"],
    columns: { id: "text", bot_key: "bigint", created_at: "bigint" },
  }),
  tableOf("turns", {
    order: ["key"],
    columns: {
      request_id: "text",
      conversation_id: "text",
      bot_version: "bigint",
      state: "text",
      at: "bigint",
      input: "text",
      response: "text",
      intent: "text",
      capability_allowed: "boolean",
      enforcement_reason: "text",
      schema_enforced: "boolean",
      schema_fallback_used: "boolean",
      schema_validation_error: "text",
      response_index: "bigint",
      receipt: "json",
    },
    sources: { conversation_id: conversationIdIn("turns") },
    derived: {
      name: "number",
      type: "bigint",
      source: "row_number() OVER (PARTITION BY turns.conversation_key ORDER BY turns.key)",
      target: `coalesce((SELECT max(number) FROM turns AS earlier WHERE earlier.conversation_id = item.conversation_id), 0)
        + row_number() OVER (PARTITION BY conversation_id ORDER BY position)`,
    },
  }),
  tableOf("counted_turns", {
    order: ["place"],
    columns: {
      place: "bigint",
      request_id: "text",
      conversation_id: "text",
      bot_key: "bigint",
      at: "bigint",
      outcome: "text",
      intent: "text",
      rating: "text",
    },
    sources: {
      request_id: "(SELECT request_id FROM turns WHERE turns.key = counted_turns.turn_key)",
      conversation_id: conversationIdIn("counted_turns"),
    },
  }),
  tableOf("turn_counts", {
    order: ["bot_key", "bucket", "at", "outcome", "intent"],
    columns: {
      bot_key: "bigint",
      bucket: "text",
      at: "bigint",
      outcome: "text",
      intent: "text",
      turns: "bigint",
    },
  }),
  tableOf("conversation_counts", {
    order: ["bot_key", "bucket", "at"],
    columns: { bot_key: "bigint", bucket: "text", at: "bigint", conversations: "bigint" },
  }),
  tableOf("rating_counts", {
    order: ["bot_key", "bucket", "at", "rating"],
    columns: { bot_key: "bigint", bucket: "text", at: "bigint", rating: "text", answers: "bigint" },
  }),
  tableOf("set_aside_messages", {
    order: ["bot_key", "text_hash"],
    columns: { bot_key: "bigint", text_hash: "bytea", kind: "text", set_by: "text", set_at: "bigint" },
  }),
  tableOf("monthly_usage", {
    order: ["bot_key", "month"],
    columns: {
      bot_key: "bigint",
      month: "text",
      messages: "bigint",
      model_tokens: "bigint",
      told_cap: "bigint",
    },
    // Larger counts, which an earlier version could store, are read as this one.
    sources: { model_tokens: `min(monthly_usage.model_tokens, ${Number.MAX_SAFE_INTEGER})` },
  }),
  tableOf("idempotency_records", {
    order: ["embed_token_key", "key_hash"],
    columns: {
      embed_token_key: "bigint",
      key_hash: "bytea",
      body_hash: "bytea",
      request_id: "text",
      at: "bigint",
    },
    sources: {
      request_id: "(SELECT request_id FROM turns WHERE turns.key = idempotency_records.turn_key)",
    },
  }),
  tableOf("embeddings", {
    order: ["model", "text_hash"],
    columns: { model: "text", text_hash: "bytea", vector: "bytea" },
  }),
  tableOf("clock", {
    order: ["key"],
    columns: { key: "bigint", heartbeat_at: "bigint" },
    isSingle: true,
  }),
  tableOf("changes", {
    order: ["key"],
    columns: {
      key: "bigint",
      at: "bigint",
      actor_kind: "text",
      actor_name: "text",
      command: "text",
      kind: "text",
      subject: "text",
      bots: "json",
      fields: "json",
      omitted_fields: "bigint",
    },
  }),
  tableOf("knowledge", {
    order: ["bot_key"],
    columns: { bot_key: "bigint", generation: "bigint" },
  }),
  tableOf("knowledge_sources", {
    order: ["bot_key", "name"],
    columns: {
      bot_key: "bigint",
      name: "text",
      place: "bigint",
      origin: "text",
      folder: "text",
      entry: "json",
      outcome: "json",
      is_retired: "boolean",
    },
  }),
  tableOf("knowledge_documents", {
    order: ["key"],
    columns: {
      key: "bigint",
      bot_key: "bigint",
      id: "text",
      source: "text",
      place: "text",
      title: "text",
      url: "text",
      hash: "text",
      etag: "text",
      last_modified: "text",
    },
  }),
  tableOf("knowledge_passages", {
    order: ["key"],
    columns: {
      key: "bigint",
      document_key: "bigint",
      heading_path: "json",
      anchor: "text",
      body: "text",
      terms: "bytea",
      terms_version: "bigint",
    },
  }),
  tableOf("operators", {
    order: ["key"],
    columns: {
      key: "bigint",
      name: "text",
      role: "text",
      password_hash: "text",
      created_at: "bigint",
      last_seen_at: "bigint",
    },
  }),
  tableOf("operator_keys", {
    order: ["key"],
    columns: {
      key: "bigint",
      id: "text",
      hash: "bytea",
      label: "text",
      permissions: "json",
      operator_key: "bigint",
      created_at: "bigint",
      expires_at: "bigint",
      last_used_at: "bigint",
    },
  }),
  tableOf("ratings", {
    order: ["turn_key"],
    columns: { request_id: "text", rating: "text", reason: "text", at: "bigint", counted_as: "text" },
    sources: { request_id: "(SELECT request_id FROM turns WHERE turns.key = ratings.turn_key)" },
  }),
  tableOf("handoffs", {
    order: ["key"],
    columns: {
      key: "bigint",
      id: "text",
      conversation_id: "text",
      state: "text",
      fields: "json",
      shares_transcript: "boolean",
      created_at: "bigint",
      updated_at: "bigint",
      key_hash: "bytea",
      body_hash: "bytea",
      operator: "text",
      live_until: "bigint",
    },
    sources: { conversation_id: conversationIdIn("handoffs") },
  }),
  tableOf("handoff_keys", {
    order: ["key_hash"],
    columns: { key_hash: "bytea", body_hash: "bytea", handoff_key: "bigint" },
  }),
  tableOf("handoff_events", {
    order: ["conversation_key", "number"],
    columns: {
      conversation_id: "text",
      number: "bigint",
      at: "bigint",
      kind: "text",
      name: "text",
      text: "text",
      key_hash: "bytea",
    },
    sources: { conversation_id: conversationIdIn("handoff_events") },
  }),
  tableOf("deliveries", {
    order: ["key"],
    columns: {
      key: "bigint",
      id: "text",
      channel: "text",
      target: "text",
      event: "text",
      bot_key: "bigint",
      conversation_id: "text",
      subject: "text",
      state: "text",
      attempts: "bigint",
      created_at: "bigint",
      next_at: "bigint",
      ended_at: "bigint",
      error: "text",
    },
    sources: { conversation_id: conversationIdIn("deliveries") },
  }),
  tableOf("event_starts", {
    order: ["target", "event"],
    columns: { target: "text", event: "text", at: "bigint" },
  }),
  tableOf("server_starts", {
    order: ["key"],
    columns: { key: "bigint", starts: "bigint", settings: "json" },
    isSingle: true,
  }),
];

/** What is of use to servers that run alone, which a copy therefore leaves empty: operators sign in anew. */
export const TABLES_OF_SERVERS: readonly string[] = [
  "turns_in_flight",
  "instances",
  "write_probe",
  "sign_in_links",
  "operator_sessions",
  // What is not counted yet is seen by that.
  "awaited_turns",
  "turn_counting",
];

/** What only SQLite has: words of turns, which PostgreSQL keeps with the turn and reads anew. */
export const TABLES_OF_SQLITE: readonly string[] = ["turn_words", "turn_blocks", "erased_places"];
