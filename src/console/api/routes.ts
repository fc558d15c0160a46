import type {
  Operator,
  OperatorKey,
  OperatorPermission,
  Role,
  Session,
  SignInLink,
} from "../../domain/operator/access.ts";
import type {
  BotDetails,
  BotDraft,
  BotReviewResult,
  BotSummary,
  BotValidation,
  BotVersionSummary,
  KnowledgeDocument,
  Progress,
  PublishPreview,
  TestOutcome,
} from "../../domain/operator/bots.ts";
import type {
  ConversationDetails,
  ConversationPage,
  ConversationQuery,
  ReceiptView,
  TryRequest,
  TryResult,
} from "../../domain/operator/conversations.ts";
import type { ImprovePage, SetAside } from "../../domain/operator/improve.ts";
import type { Overview, Period } from "../../domain/operator/overview.ts";
import type {
  AuditRow,
  BackupRow,
  ModelCheck,
  ModelRow,
  NewToken,
  ServerHealth,
  TokenRow,
} from "../../domain/operator/server.ts";

interface Items<Row> {
  items: Row[];
}

interface PageOf<Row> extends Items<Row> {
  /** null: the end. */
  next: string | null;
}

/** The routes of the operator API that the console uses, below `/api/v1`: what each takes, and what it answers. */
export interface Routes {
  "GET /session": { answer: Session };
  "POST /session": { body: { name: string; password: string }; answer: Session };
  "POST /session/link": { body: { secret: string }; answer: Session };
  "DELETE /session": { answer: void };
  "PUT /session/password": { body: { password: string; current?: string }; answer: Session };

  "GET /overview": {
    query: { bot?: string; period: Period; compare?: string | undefined };
    answer: Overview;
  };

  "GET /bots": { answer: Items<BotSummary> };
  "POST /bots": { body: { yaml: string }; answer: BotDetails };
  "GET /bots/schema": { answer: unknown };
  "GET /bots/:bot": { answer: BotDetails };
  "PUT /bots/:bot": { body: { yaml: string; note?: string }; answer: BotDetails };
  "PATCH /bots/:bot": { body: { enabled: boolean }; answer: BotSummary };
  "DELETE /bots/:bot": { answer: void };
  "POST /bots/:bot/validate": { body: { yaml: string }; answer: BotValidation };
  "POST /bots/:bot/preview": { body: { yaml: string }; answer: Progress<PublishPreview> };
  "GET /bots/:bot/draft": { answer: BotDraft };
  "PUT /bots/:bot/draft": { body: { yaml: string; baseVersion: number }; answer: BotDraft };
  "DELETE /bots/:bot/draft": { answer: void };
  "GET /bots/:bot/versions": { query: { cursor?: string }; answer: PageOf<BotVersionSummary> };
  "GET /bots/:bot/versions/:version": {
    answer: BotVersionSummary & { yaml: string; document: unknown };
  };
  "POST /bots/:bot/versions/:version/restore": { answer: BotDetails };
  "POST /bots/:bot/tests": { body: { yaml?: string }; answer: Progress<{ tests: TestOutcome[] }> };
  "POST /bots/:bot/review": { body: { yaml?: string }; answer: Progress<BotReviewResult> };
  "POST /bots/:bot/try": { body: TryRequest; answer: TryResult };
  "GET /bots/:bot/knowledge": { answer: Items<KnowledgeDocument> };
  "POST /bots/:bot/knowledge": { body: FormData; answer: KnowledgeDocument };
  "DELETE /bots/:bot/knowledge/:id": { answer: void };

  "GET /conversations": { query: ConversationQuery; answer: ConversationPage };
  "GET /conversations/:id": { answer: ConversationDetails };
  "DELETE /conversations/:id": { answer: void };
  "GET /turns/:requestId/explanation": { answer: ReceiptView };

  "GET /improve": { query: { bot?: string; outcome?: string; since?: number }; answer: ImprovePage };
  "POST /improve/set-aside": { body: SetAside; answer: void };
  "DELETE /improve/set-aside": { body: SetAside; answer: void };

  "GET /tokens": { answer: Items<TokenRow> };
  "POST /tokens": { body: { bots: string[]; label?: string; expiresAt?: number }; answer: NewToken };
  "POST /tokens/:id/revoke": { answer: TokenRow };
  "GET /models": { answer: Items<ModelRow> };
  "POST /models/:name/check": { answer: ModelCheck };
  "GET /audit": {
    query: { bot?: string; since?: number; before?: string; limit?: number };
    answer: PageOf<AuditRow>;
  };
  "GET /health": { answer: ServerHealth };
  "POST /backups": { answer: Progress<BackupRow> };

  "GET /operators": { answer: Items<Operator> };
  "POST /operators": { body: { name: string; role: Role }; answer: { operator: Operator; link: SignInLink } };
  "PATCH /operators/:name": { body: { role: Role }; answer: Operator };
  "DELETE /operators/:name": { answer: void };
  "POST /operators/:name/link": { answer: SignInLink };
  "GET /keys": { answer: Items<OperatorKey> };
  "POST /keys": {
    body: { label: string; permissions: OperatorPermission[]; expiresAt?: number };
    answer: OperatorKey & { key: string };
  };
  "DELETE /keys/:id": { answer: void };
}

export type RouteName = keyof Routes;

/** The names after a colon in a route's path. */
type PathNames<Text extends string> = Text extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : Text extends `${string}:${infer Name}`
    ? Name
    : never;

type PathPart<Name extends string> = [PathNames<Name>] extends [never]
  ? unknown
  : { path: Record<PathNames<Name>, string | number> };
type QueryPart<Route> = Route extends { query: infer Query } ? { query: Query } : unknown;
type BodyPart<Route> = Route extends { body: infer Body } ? { body: Body } : unknown;

/** What one route takes. */
export type InputOf<Name extends RouteName> = PathPart<Name> &
  QueryPart<Routes[Name]> &
  BodyPart<Routes[Name]>;
export type AnswerOf<Name extends RouteName> = Routes[Name]["answer"];

/** Routes that answer with a stream of progress, and what its last line holds. */
export type StreamedName = {
  [Name in RouteName]: AnswerOf<Name> extends Progress<unknown> ? Name : never;
}[RouteName];
export type ResultOf<Name extends StreamedName> =
  AnswerOf<Name> extends Progress<infer Result> ? Result : never;
