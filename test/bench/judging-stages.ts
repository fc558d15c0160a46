import { decide } from "../../src/governance/decide.ts";
import { withoutCommonAddressParts } from "../../src/governance/disguise/plain-word.ts";
import { isSurelyUndisguised } from "../../src/governance/disguise/surely-undisguised.ts";
import { undisguisedReadings } from "../../src/governance/disguise/undisguise.ts";
import {
  goesOn,
  hasSubject,
  isAgreement,
  isBareReply,
  isBrief,
} from "../../src/governance/follow-up/brevity.ts";
import { evidenceOf, judgeMessage } from "../../src/governance/judge-message.ts";
import { judgeParts } from "../../src/governance/parts/judge-parts.ts";
import { findDeniedClause } from "../../src/governance/suspicion/clauses.ts";
import { separateCourtesies } from "../../src/social/without-courtesies.ts";
import { writeOutChatSpeak } from "../../src/text/chat-speak.ts";
import { normaliseText } from "../../src/text/normalise.ts";
import { TokenBuffer } from "../../src/text/tokenise.ts";
import type { JudgedBot } from "./judging.ts";

/** Functions that run one stage of judging for all messages of a bot. */
export function stagesOf({ classifier, policy, messages }: JudgedBot): [name: string, run: () => void][] {
  const knows = (word: string) => classifier.knows(word);
  const tokens = new TokenBuffer();
  const judged = messages.map((text) => judgeMessage(text, classifier, policy));
  const each = (stage: (text: string) => unknown) => () => {
    for (const text of messages) stage(text);
  };
  return [
    ["normalise, tokenise", each((text) => tokens.read(normaliseText(text)))],
    ["parts of addresses", each((text) => withoutCommonAddressParts(text, knows))],
    [
      "bare reply, brevity, going on, agreement",
      each((text) => {
        isBareReply(text, classifier);
        isBrief(text, classifier);
        goesOn(text, classifier);
        isAgreement(text);
      }),
    ],
    ["courtesies", each((text) => separateCourtesies(text, policy.addressing))],
    ["abbreviations", each((text) => writeOutChatSpeak(text, "en", knows))],
    ["classification", each((text) => classifier.classify(text))],
    ["scan", each((text) => classifier.scan(text))],
    [
      "search of clauses, with its scan",
      each((text) => findDeniedClause(classifier.scan(text), policy.standings, policy.intents.length)),
    ],
    [
      "readings without disguise",
      each(
        (text) =>
          isSurelyUndisguised(text, (hash) => classifier.knowsHash(hash)) || undisguisedReadings(text, knows),
      ),
    ],
    [
      "two parts",
      each((text) => judgeParts(text, { classify: (part) => classifier.classify(part), hasSubject })),
    ],
    [
      "example, shared word",
      each((text) => {
        classifier.isExample(text);
        classifier.intentsSharing(text);
      }),
    ],
    [
      "decision",
      () => {
        for (const one of judged) decide({ judged: one, policy });
      },
    ],
    [
      "evidence for the receipt",
      () => {
        for (const one of judged) evidenceOf(one, policy);
      },
    ],
  ];
}
