import { SOCIAL_KINDS } from "../../../src/domain/texts.ts";
import { recogniseSocialTurn } from "../../../src/social/social-turn.ts";
import { LANGUAGES } from "../../../src/text/languages.ts";
import { generalRequestsIn } from "../../support/general-requests.ts";
import { socialMessagesIn } from "../../unit/social/messages.ts";

/** Prints, for each language, the share of social messages that are recognised, and the general requests that are taken for social ones. */
for (const language of LANGUAGES) {
  const kindOf = (text: string) => recogniseSocialTurn(text, { language, offersPerson: true })?.kind;
  const messages = SOCIAL_KINDS.flatMap((kind) =>
    socialMessagesIn(language)[kind].map((text) => ({ text, kind })),
  );
  const right = messages.filter(({ text, kind }) => kindOf(text) === kind).length;
  const requests = generalRequestsIn(language);
  const startedAt = performance.now();
  const taken = requests.filter((text) => kindOf(text) !== undefined);
  const microseconds = ((performance.now() - startedAt) * 1000) / requests.length;
  console.log(
    `${language}: ${right} of ${messages.length} recognised; ${taken.length} of ${requests.length} requests are social; ${microseconds.toFixed(0)} µs each`,
  );
  for (const text of taken) console.log(`    ${text} → ${kindOf(text)}`);
}
