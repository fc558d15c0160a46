import { auditRoutes, type AuditRoutesParts } from "./audit.ts";
import { backupRoutes, type BackupRoutesParts } from "./backups.ts";
import { botDraftRoutes } from "./bot-drafts.ts";
import { botKnowledgeRoutes } from "./bot-knowledge.ts";
import type { BotRoutesParts } from "./bot-parts.ts";
import { botTrialRoutes } from "./bot-trials.ts";
import { botVersionRoutes } from "./bot-versions.ts";
import { botRoutes } from "./bots.ts";
import { type ConversationRouteParts, conversationRoutes } from "./conversations.ts";
import { deliveryRoutes, type DeliveryRoutesParts } from "./deliveries.ts";
import type { ApiRoute } from "./frame.ts";
import { handoffRoutes, type HandoffRoutesParts } from "./handoffs.ts";
import { healthRoutes, type HealthRoutesParts, modelRoutes, type ModelRoutesParts } from "./health.ts";
import { type ImproveRouteParts, improveRoutes } from "./improve.ts";
import { keyRoutes, type KeyRoutesParts } from "./keys.ts";
import { operatorRoutes, type OperatorRoutesParts } from "./operators.ts";
import { type OverviewRouteParts, overviewRoutes, usageRoutes, type UsageRoutesParts } from "./overview.ts";
import { type SessionParts, sessionRoutes } from "./session.ts";
import { tokenRoutes, type TokenRoutesParts } from "./tokens.ts";

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
