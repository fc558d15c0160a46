import { type AuditRoutesParts, auditRoutes } from "./audit.ts";
import { type BackupRoutesParts, backupRoutes } from "./backups.ts";
import { botDraftRoutes } from "./bot-drafts.ts";
import { botKnowledgeRoutes } from "./bot-knowledge.ts";
import type { BotRoutesParts } from "./bot-parts.ts";
import { botTrialRoutes } from "./bot-trials.ts";
import { botVersionRoutes } from "./bot-versions.ts";
import { botRoutes } from "./bots.ts";
import { type ConversationRouteParts, conversationRoutes } from "./conversations.ts";
import type { ApiRoute } from "./frame.ts";
import { type HealthRoutesParts, healthRoutes } from "./health.ts";
import { type ImproveRouteParts, improveRoutes } from "./improve.ts";
import { type KeyRoutesParts, keyRoutes } from "./keys.ts";
import { type ModelRoutesParts, modelRoutes } from "./models.ts";
import { type OperatorRoutesParts, operatorRoutes } from "./operators.ts";
import { type OverviewRouteParts, overviewRoutes } from "./overview.ts";
import { type SessionParts, sessionRoutes } from "./session.ts";
import { type TokenRoutesParts, tokenRoutes } from "./tokens.ts";
import { type UsageRoutesParts, usageRoutes } from "./usage.ts";

/** The parts that the routes of the operator API use; each file of routes says which are its own. */
export type ApiParts = SessionParts &
  OperatorRoutesParts &
  KeyRoutesParts &
  TokenRoutesParts &
  ModelRoutesParts &
  AuditRoutesParts &
  HealthRoutesParts &
  BackupRoutesParts &
  BotRoutesParts &
  UsageRoutesParts &
  OverviewRouteParts &
  ConversationRouteParts &
  ImproveRouteParts;

/** Every route of the operator API; to add a resource, add its list here. */
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
