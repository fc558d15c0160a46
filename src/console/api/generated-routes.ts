// Written by `npm run console:routes` from the OpenAPI document of the operator API; a test says when it is out of date.
import type { HandoffEvent } from "../../domain/handoff.ts";
import type { Operator, OperatorKey, Session, SignInLink } from "../../domain/operator/access.ts";
import type { BotDetails, BotDraft, BotReviewResult, BotSummary, BotValidation, BotVersionDetails, BotVersionSummary, Progress, PublishPreview } from "../../domain/operator/bots.ts";
import type { ConversationDetails, ConversationPage, ReceiptView, TryRequest, TryResult } from "../../domain/operator/conversations.ts";
import type { DeliveryRow, HandoffCount, HandoffDetail, HandoffRow } from "../../domain/operator/handoffs.ts";
import type { ImprovePage, SetAside } from "../../domain/operator/improve.ts";
import type { Overview } from "../../domain/operator/overview.ts";
import type { AuditRow, ModelCheck, ModelRow, NewToken, ServerHealth, TokenRow } from "../../domain/operator/server.ts";

/** The routes of the operator API below `/api/v1`: what each takes, and what it answers. */
export interface Routes {
  "GET /session": {
    answer: Session;
  };
  "POST /session": {
    body: { name: string; password: string };
    answer: Session;
  };
  "DELETE /session": {
    answer: void;
  };
  "POST /session/link": {
    body: { secret: string };
    answer: Session;
  };
  "PUT /session/password": {
    body: { password: string; current?: string };
    answer: Session;
  };
  "GET /operators": {
    answer: { items: Operator[] };
  };
  "POST /operators": {
    body: { name: string; role: "viewer" | "editor" | "owner" };
    answer: { operator: Operator; link: SignInLink };
  };
  "PATCH /operators/:name": {
    body: { role: "viewer" | "editor" | "owner" };
    answer: Operator;
  };
  "DELETE /operators/:name": {
    answer: void;
  };
  "POST /operators/:name/link": {
    answer: SignInLink;
  };
  "GET /keys": {
    answer: { items: OperatorKey[] };
  };
  "POST /keys": {
    body: { label: string; permissions: ("read" | "bots.write" | "handoffs.answer" | "models.check" | "bots.delete" | "conversations.export" | "conversations.delete" | "tokens.write" | "backups.write" | "operators.write")[]; expiresAt?: number };
    answer: { id: string; label: string; permissions: ("read" | "bots.write" | "handoffs.answer" | "models.check" | "bots.delete" | "conversations.export" | "conversations.delete" | "tokens.write" | "backups.write" | "operators.write")[]; createdBy: string; createdAt: number; expiresAt?: number; lastUsedAt?: number; key: string };
  };
  "DELETE /keys/:id": {
    answer: void;
  };
  "GET /tokens": {
    answer: { items: TokenRow[] };
  };
  "POST /tokens": {
    body: { bots: string[]; label?: string; expiresAt?: number };
    answer: NewToken;
  };
  "POST /tokens/:id/revoke": {
    answer: TokenRow;
  };
  "GET /models": {
    answer: { items: ModelRow[] };
  };
  "POST /models/:name/check": {
    answer: ModelCheck;
  };
  "GET /audit": {
    query: { bot?: string | undefined; since?: number | undefined; before?: string | undefined; limit?: number | undefined };
    answer: { items: AuditRow[]; next: string | null };
  };
  "GET /health": {
    answer: ServerHealth;
  };
  "POST /backups": {
    answer: Progress<{ name: string; at: number; bytes: number }>;
  };
  "GET /handoffs": {
    query: { bot?: string | undefined; state?: "open" | "live" | "closed" | undefined; waiting?: "0" | "1" | undefined; cursor?: string | undefined };
    answer: { items: HandoffRow[]; next: string | null };
  };
  "GET /handoffs/count": {
    answer: HandoffCount;
  };
  "GET /handoffs/:id": {
    answer: HandoffDetail;
  };
  "POST /handoffs/:id/take": {
    query: { from?: string | undefined };
    answer: HandoffRow;
  };
  "POST /handoffs/:id/messages": {
    body: { text: string };
    answer: HandoffEvent;
  };
  "POST /handoffs/:id/release": {
    answer: HandoffRow;
  };
  "POST /handoffs/:id/close": {
    answer: HandoffRow;
  };
  "GET /handoffs/:id/events": {
    query: { after?: number | undefined };
    answer: { items: HandoffEvent[] };
  };
  "GET /deliveries": {
    query: { state?: "waiting" | "delivered" | "given-up" | undefined; event?: "handoff.requested" | "feedback.given" | "cap.near" | "turn.refused" | "turn.unmatched" | "action.done" | "action.failed" | undefined; bot?: string | undefined; conversation?: string | undefined; cursor?: string | undefined };
    answer: { items: DeliveryRow[]; next: string | null };
  };
  "POST /deliveries/:id/resend": {
    answer: void;
  };
  "GET /usage": {
    answer: { month: string; items: { bot: string; messages: number; cap?: number; modelTokens: number; tokenBudget?: number }[] };
  };
  "GET /bots": {
    answer: { items: BotSummary[] };
  };
  "POST /bots": {
    body: { yaml: string; acceptFaults?: boolean };
    answer: BotDetails;
  };
  "GET /bots/schema": {
    answer: unknown;
  };
  "GET /bots/:bot": {
    answer: BotDetails;
  };
  "PUT /bots/:bot": {
    body: { yaml: string; note?: string; draft?: number; acceptFaults?: boolean };
    answer: BotDetails;
  };
  "PATCH /bots/:bot": {
    body: { enabled: boolean };
    answer: BotDetails;
  };
  "DELETE /bots/:bot": {
    answer: void;
  };
  "GET /bots/:bot/draft": {
    answer: BotDraft;
  };
  "PUT /bots/:bot/draft": {
    body: { yaml: string; baseVersion: number };
    answer: BotDraft;
  };
  "DELETE /bots/:bot/draft": {
    answer: void;
  };
  "GET /bots/:bot/versions": {
    query: { cursor?: string | undefined };
    answer: { items: BotVersionSummary[]; next: string | null };
  };
  "GET /bots/:bot/versions/:version": {
    answer: BotVersionDetails;
  };
  "POST /bots/:bot/versions/:version/restore": {
    body: { acceptFaults?: boolean };
    answer: BotDetails;
  };
  "POST /bots/:bot/validate": {
    body: { yaml: string };
    answer: BotValidation;
  };
  "POST /bots/:bot/preview": {
    body: { yaml: string; crossValidation?: boolean };
    answer: Progress<PublishPreview>;
  };
  "POST /bots/:bot/tests": {
    body: { yaml?: string };
    answer: Progress<{ tests: { test: number; passed: boolean; utterance: string; mismatches: { field: "intent" | "decision" | "response"; expected: string | null; got: string | null }[] }[] }>;
  };
  "POST /bots/:bot/review": {
    body: { yaml?: string };
    answer: Progress<BotReviewResult>;
  };
  "POST /bots/:bot/try": {
    body: TryRequest;
    answer: TryResult;
  };
  "GET /turns/:requestId/explanation": {
    answer: ReceiptView;
  };
  "GET /bots/:bot/knowledge": {
    answer: { items: { id: string; source: string; title: string; url?: string; passages: number; isUploaded: boolean }[] };
  };
  "POST /bots/:bot/knowledge": {
    body: FormData;
    answer: { id: string; source: string; title: string; url?: string; passages: number; isUploaded: boolean };
  };
  "DELETE /bots/:bot/knowledge/:id": {
    answer: void;
  };
  "GET /overview": {
    query: { bot?: string | undefined; period?: "24h" | "7d" | "30d" | "90d" | undefined; compare?: "1" | undefined };
    answer: Overview;
  };
  "GET /conversations": {
    query: { bot?: string | undefined; q?: string | undefined; decision?: "answered" | "asked" | "unmatched" | "refused" | "failed" | undefined; intent?: string | undefined; rating?: "up" | "down" | undefined; from?: number | undefined; to?: number | undefined; cursor?: string | undefined; newer?: string | undefined; limit?: number | undefined };
    answer: ConversationPage;
  };
  "GET /conversations/:id": {
    answer: ConversationDetails;
  };
  "DELETE /conversations/:id": {
    answer: void;
  };
  "GET /improve": {
    query: { bot?: string | undefined; outcome?: "unhelpful" | "wrong" | "unmatched" | "asked" | "refused" | undefined; since?: number | undefined };
    answer: ImprovePage;
  };
  "POST /improve/set-aside": {
    body: SetAside;
    answer: void;
  };
  "DELETE /improve/set-aside": {
    body: SetAside;
    answer: void;
  };
}
