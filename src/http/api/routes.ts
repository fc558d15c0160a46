import { type AuditRoutesParts, auditRoutes } from "./audit.ts";
import { type BackupRoutesParts, backupRoutes } from "./backups.ts";
import { botDraftRoutes } from "./bot-drafts.ts";
import { botKnowledgeRoutes } from "./bot-knowledge.ts";
import type { BotRoutesParts } from "./bot-parts.ts";
import { botTrialRoutes } from "./bot-trials.ts";
import { botVersionRoutes } from "./bot-versions.ts";
import { botRoutes } from "./bots.ts";
import { type ConversationRouteParts, conversationRoutes } from "./conversations.ts";
import { type DeliveryRoutesParts, deliveryRoutes } from "./deliveries.ts";
import type { ApiRoute } from "./frame.ts";
import { type HandoffRoutesParts, handoffRoutes } from "./handoffs.ts";
import { type HealthRoutesParts, healthRoutes } from "./health.ts";
import { type ImproveRouteParts, improveRoutes } from "./improve.ts";
import { type KeyRoutesParts, keyRoutes } from "./keys.ts";
import { type ModelRoutesParts, modelRoutes } from "./models.ts";
import { type OperatorRoutesParts, operatorRoutes } from "./operators.ts";
import { type OverviewRouteParts, overviewRoutes } from "./overview.ts";
import { type SessionParts, sessionRoutes } from "./session.ts";
import { type TokenRoutesParts, tokenRoutes } from "./tokens.ts";
import { type UsageRoutesParts, usageRoutes } from "./usage.ts";

/** Everything the operator API's routes need; each file of routes declares its own part. */
export type ApiParts = SessionParts &
  OperatorRoutesParts &
  KeyRoutesParts &
  TokenRoutesParts &
  ModelRoutesParts &
  AuditRoutesParts &
  HealthRoutesParts &
  BackupRoutesParts &
  HandoffRoutesParts &
  DeliveryRoutesParts &
  BotRoutesParts &
  UsageRoutesParts &
  OverviewRouteParts &
  ConversationRouteParts &
  ImproveRouteParts;

/** All routes of the operator API; add a new resource's routes here. */
export function apiRoutes(parts: ApiParts): ApiRoute[] {
  return [
    ...sessionRoutes(parts),
    ...operatorRoutes(parts),
    ...keyRoutes(parts),
    ...tokenRoutes(parts),
    ...modelRoutes(parts),
    ...auditRoutes(parts),
    ...healthRoutes(parts),
    ...backupRoutes(parts),
    ...handoffRoutes(parts),
    ...deliveryRoutes(parts),
    ...usageRoutes(parts),
    ...botRoutes(parts),
    ...botDraftRoutes(parts),
    ...botVersionRoutes(parts),
    ...botTrialRoutes(parts),
    ...botKnowledgeRoutes(parts),
    ...overviewRoutes(parts),
    ...conversationRoutes(parts),
    ...improveRoutes(parts),
  ];
}
