import { checkAllowedDomains } from "../access/allowed-domain.ts";
import { checkActions } from "../action/check-actions.ts";
import type { BotRule } from "../domain/bot.ts";
import { checkDenyRules } from "../governance/check-deny-rules.ts";
import { checkOutputSchemas } from "../governance/output/check-output-schemas.ts";
import { checkCapabilityProfile, checkSilentIntents } from "../governance/profile/capability-profile.ts";
import { checkCourteousExamples, checkUnheardWishes } from "../governance/social-policy.ts";
import { checkKnowledgeSources } from "../knowledge/sources/check-sources.ts";
import { checkTexts } from "../texts/check-texts.ts";

/** Rules for bot documents beyond their schema; `parley seed` reports all faults at once. */
export const BOT_RULES: readonly BotRule[] = [
  checkActions,
  checkAllowedDomains,
  checkCapabilityProfile,
  checkDenyRules,
  checkKnowledgeSources,
  checkOutputSchemas,
  checkSilentIntents,
  checkTexts,
  checkUnheardWishes,
  checkCourteousExamples,
];
