/** Types of Parley's client for programs and pages; published as `client.d.ts` beside `client.js`. */

export interface ClientOptions {
  /** Where the service is, as `https://chat.example`. */
  endpoint: string;
  /** A server token (`parley_st_…`) in a program, an embed token (`parley_et_…`) in a page. */
  token: string;
  /** The bot to talk to. */
  botId: string;
  /** Takes the place of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How often a request that failed is sent again at most; 3 unless given. */
  maxRetries?: number | undefined;
  /**
   * Longest pause before a request is sent again, in milliseconds; 30,000 unless given. Where the service asks for a longer one, the
   * error is thrown at once.
   */
  maxRetryDelayMs?: number | undefined;
}

export interface CallOptions {
  /** Ends the call: it throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface PostOptions extends CallOptions {
  /** Names the request, for 24 hours: 1 to 255 visible ASCII characters. A random one unless given. */
  idempotencyKey?: string | undefined;
}

export interface ChatOptions extends PostOptions {
  /** From an earlier answer: continues that conversation. */
  conversationId?: string | undefined;
}

export interface FollowOptions extends CallOptions {
  /** `number` of the last event that is known; 0 unless given: everything from the beginning. */
  lastEventId?: number | undefined;
}

/** A client of one bot. Methods throw {@link ParleyError}, or the reason of their signal. */
export interface ParleyClient {
  /** Sends a message, and resolves to the whole answer. A refusal is an answer, too: see `metadata.enforcementReason`. */
  chat(input: string, options?: ChatOptions): Promise<ChatAnswer>;
  /** Sends a message when it is iterated over, and tells its answer as it comes: `meta`, then `delta`s, then `done`. */
  stream(input: string, options?: ChatOptions): AsyncGenerator<ChatEvent, void, undefined>;
  /** Asks for a person. */
  handoff(fields?: HandoffFields, options?: PostOptions): Promise<HandoffResponse>;
  /**
   * The events of a conversation with an operator: each once, in order, across lost connections and restarts of the service. Ends when the
   * hand-off is closed.
   */
  follow(conversationId: string, options?: FollowOptions): AsyncGenerator<HandoffEvent, void, undefined>;
  /** Says whether an answer helped; the last rating of an answer counts. */
  rate(rating: Rating, options?: CallOptions): Promise<void>;
  /** The bot's widget configuration: its name, its greeting, when it offers a person. */
  embedConfig(options?: CallOptions): Promise<EmbedConfig>;
}

/** @throws TypeError where options are missing or no text, which it names, or `endpoint` is no address of the web. */
export declare function createClient(options: ClientOptions): ParleyClient;

/** A request that got no answer of the bot's. `message` is one sentence that a developer can act on. */
export declare class ParleyError extends Error {
  constructor(
    message: string,
    fields: Pick<ParleyError, "status" | "code"> &
      Partial<Pick<ParleyError, "requestId" | "retryAfterMs" | "errors">>,
    cause?: unknown,
  );
  /** The HTTP status; 0 where no answer arrived. */
  readonly status: number;
  readonly code: ParleyErrorCode;
  /** Names the service's log line. */
  readonly requestId: string | undefined;
  /** When the service says it may be asked again, in milliseconds from its answer. */
  readonly retryAfterMs: number | undefined;
  /** Faults of the request's fields. */
  readonly errors: readonly FieldFault[];
  /** Whether the same request may succeed later; the client has tried `maxRetries` times. */
  get isRetryable(): boolean;
}

/** Those of the service, then those of the client. */
export type ParleyErrorCode =
  | "INVALID_REQUEST"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "RATE_LIMITED"
  | "MESSAGE_CAP_EXCEEDED"
  | "MODEL_ERROR"
  | "MODEL_TIMEOUT"
  | "OVERLOADED"
  | "STORAGE_UNAVAILABLE"
  | "INTERNAL_ERROR"
  /** No answer arrived, or not all of it. */
  | "NETWORK_ERROR"
  /** An error that is not the service's own, such as a proxy's. */
  | "HTTP_ERROR"
  /** A success that is not the service's: `endpoint` leads elsewhere. */
  | "INVALID_RESPONSE";

export interface FieldFault {
  /** JSON Pointer into the request's body. */
  pointer: string;
  detail: string;
  /** If a text is too long: how many characters it may have. */
  maxLength?: number;
}

/** The events of a streamed answer. */
export type ChatEvent =
  /** The decision. Comes again where a retry gets another answer: then forget the text so far. */
  | { type: "meta"; conversationId: string; intentDetected?: string; capabilityAllowed: boolean }
  /** A piece of the answer. */
  | { type: "delta"; text: string }
  /** The whole answer; the last event. */
  | { type: "done"; answer: ChatAnswer };

export interface ChatAnswer extends ChatResponse {
  /** Names the answer where it is rated, and its receipt. */
  requestId: string;
}

export interface ChatResponse {
  /** For the next message. */
  conversationId: string;
  response: string;
  /** Name of the classified intent. */
  intentDetected?: string;
  metadata: ChatMetadata;
}

export interface ChatMetadata {
  /** Whether the bot's capability profile allowed the intent. */
  capabilityAllowed: boolean;
  /** Why the request was restricted. */
  enforcementReason?: "DENY_LIST" | "NOT_IN_ALLOW_LIST" | "no_intent_match" | "schema_fallback";
  /** Intents that the visitor can choose from; a label sent as `input` selects its intent. */
  suggestions?: { intent: string; label: string }[];
  /** Documents that the answer was taken from. */
  sources?: { title: string; url?: string }[];
  /** Suggested next questions: show `label`, send `input`. */
  next?: { label: string; input: string }[];
  /** The question or the result of an action of the bot. */
  action?: {
    /** The intent. */
    name: string;
    /** asking: a slot was asked for; confirm: a yes is awaited; unsure: nobody knows whether it was done. */
    state: "asking" | "confirm" | "done" | "failed" | "unsure";
    slot?: string;
  };
  /**
   * offered: the visitor may ask for a person; live: one has taken over, and the bot is silent. `fill` is what the visitor gave, for the
   * form.
   */
  handoff?: {
    state: "offered" | "live";
    fill?: { name?: string; email?: string; phone?: string; message?: string };
  };
  /** Whether an output schema was applied. */
  schemaEnforced: boolean;
  /** Whether the fallback took the answer's place. */
  schemaFallbackUsed: boolean;
  schemaValidationError?: string;
}

export interface HandoffFields {
  /** Absent: a new conversation. */
  conversationId?: string;
  /** At most 200 characters. */
  name?: string;
  /** At most 320 characters. */
  email?: string;
  /** At most 50 characters. */
  phone?: string;
  /** The visitor's message, at most 4,000 characters. */
  message?: string;
  /** Whether the person may read the conversation; false unless given. */
  shareTranscript?: boolean;
}

export interface HandoffResponse {
  handoffId: string;
  conversationId: string;
  /** open: nobody has answered yet; live: a person is writing; closed: done. */
  state: "open" | "live" | "closed";
  /** false: the conversation had one already. */
  isNew: boolean;
}

export interface HandoffEvent {
  /** Its place in the conversation. */
  number: number;
  /** Milliseconds since 1970. */
  at: number;
  kind: "visitor" | "operator" | "state";
  /** The person's name. */
  name?: string;
  /** The message as plain text; for a state: live, open or closed. */
  text: string;
}

export interface Rating {
  conversationId: string;
  /** `requestId` of the answer. */
  requestId: string;
  rating: "up" | "down";
  /** In at most 1,000 characters. */
  reason?: string;
}

export interface EmbedConfig {
  botName: string;
  welcomeMessage: string;
  runtimeEndpoint: string;
  cdnUrl: string;
  poweredByRequired: boolean;
  theme?: {
    primaryColor?: string;
    backgroundColor?: string;
    colorScheme?: "auto" | "light" | "dark";
    cornerRadius?: number;
    position?: "end" | "start";
    offsetX?: number;
    offsetY?: number;
    fontFamily?: string;
    density?: "comfortable" | "compact";
  };
  suggestedQuestions: { id: string; text: string; order: number }[];
  suggestedQuestionsStyle: "pills" | "message_box";
  template?: { id: string; bundleUrl: string; options?: Record<string, unknown> };
  /** How a visitor comes to a person; absent: not at all. */
  handoff?: {
    offer: ("refused" | "not_understood_twice" | "cap" | "asked")[];
    fields: ("name" | "email" | "phone" | "message")[];
    hours?: { timezone: string; open: string[] };
    /** Whether a person may come into the conversation; false: they answer elsewhere, as by e-mail. */
    live: boolean;
  };
  avatarUrl?: string;
  tagline?: string;
  legal?: string;
  launcher?: { label?: string; icon?: "chat" | "avatar" };
}
