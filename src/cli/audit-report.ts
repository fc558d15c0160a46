import { stringify } from "yaml";

import { deniedByInWords } from "../domain/decision.ts";
import type { Rating } from "../domain/feedback.ts";
import type {
  DecisionAudit,
  LikelyWrongTurn,
  RefusalCount,
  UnansweredMessages,
} from "../operate/audit-decisions.ts";
import type { MessageCluster } from "../operate/group-messages.ts";
import { outcomeOfCall, STATES } from "../operate/receipt/describe-action.ts";
import type { ratedAnswerAsJson } from "./conversation-json.ts";
import { counted, excerpt, formatShare, formatTable, NOT_KEPT, printable, ratingInWords } from "./format.ts";
import type { Colours } from "./terminal.ts";

const MAX_ROWS = 10;

/** Characters shown of each answer in the list of rated answers. */
const MAX_ANSWER_LENGTH = 200;

type RatedAnswer = ReturnType<typeof ratedAnswerAsJson>;

type LikelyWrong = Omit<LikelyWrongTurn, "at"> & { at: string };

type BotAudit = Omit<DecisionAudit, "rated" | "likelyWrong"> & {
  botId: string;
  since: string;
  onlyRated: Rating | null;
  rated: Omit<DecisionAudit["rated"], "answers"> & { answers: readonly RatedAnswer[] };
  likelyWrong: Omit<DecisionAudit["likelyWrong"], "listed"> & { listed: readonly LikelyWrong[] };
};

/** The report of `parley audit decisions`: bots with messages in full, then the names of the others. */
export function describeAudits(audits: readonly BotAudit[], colours: Colours): string {
  const [first] = audits;
  if (audits.length === 1) return describeAudit(first!, colours);
  const silent = audits.filter(({ turns }) => turns === 0).map(({ botId }) => botId);
  return [
    ...audits.filter(({ turns }) => turns > 0).map((audit) => describeAudit(audit, colours)),
    ...(silent.length > 0 ? [`${noTurns(first!)} since ${first!.since}: ${silent.join(", ")}`] : []),
  ].join("\n\n\n");
}

function describeAudit(audit: BotAudit, colours: Colours): string {
  const title = colours.bold(`${audit.botId}, since ${audit.since}`);
  if (audit.turns === 0) return `${title}: ${noTurns(audit)}`;
  const { wouldRestrict, refused, onlyRated } = audit;
  return [
    `${title}: ${counted(audit.turns, "turn")}${onlyRated === null ? "" : ` rated ${onlyRated}`}`,
    "",
    formatTable(["DECISION", "TURNS", "SHARE"], decisionRows(audit)),
    ...describeCounts(colours.bold("Most refused:"), refused),
    ...describeCounts(
      colours.bold(`Observed, not enforced: ${wouldRestrict.turns} would have been refused`),
      wouldRestrict.refused,
    ),
    ...describeCalls(audit.calls, colours),
    ...describeLikelyWrong(audit.likelyWrong, colours),
    ...describeMessages("Nothing matched", audit.unmatched, colours),
    ...describeKnowledge(audit.knowledge, colours),
    ...describeMessages("Refused", audit.refusedMessages, colours),
    ...describeRated(audit.rated, colours),
    ...hintAt(audit),
  ].join("\n");
}

const noTurns = ({ onlyRated }: BotAudit) =>
  onlyRated === null ? "no turns" : `no turns rated ${onlyRated}`;

/** Rated answers with their messages and the visitors' reasons. */
function describeRated({ up, down, answers, more }: BotAudit["rated"], colours: Colours): string[] {
  if (up + down === 0) return [];
  return [
    "",
    colours.bold(`Rated: ${up} up, ${down} down`),
    ...answers.flatMap((answer) => ["", ...describeAnswer(answer, colours)]),
    ...hintAtMore(more),
  ];
}

function describeAnswer(answer: RatedAnswer, colours: Colours): string[] {
  const { at, conversationId, intent, decision, input, response } = answer;
  const texts = input === null ? [NOT_KEPT] : [`> ${input}`, excerpt(response ?? "", MAX_ANSWER_LENGTH)];
  return [
    colours.dim(`${at}  ${conversationId}  ${intent ?? "no intent"}, ${decision}`),
    ...texts.map(printable),
    ratingInWords(answer),
  ];
}

/** Turns that are likely wrong, with the message before them and the signs. */
function describeLikelyWrong({ looked, turns, listed }: BotAudit["likelyWrong"], colours: Colours): string[] {
  if (turns === 0) return [];
  const more = turns - listed.length;
  return [
    "",
    colours.bold(`Likely wrong: ${turns} of the latest ${counted(looked, "answer")}`),
    ...listed.flatMap(({ at, conversationId, intent, decision, before, input, response, why }) => [
      "",
      colours.dim(`${at}  ${conversationId}  ${intent ?? "no intent"}, ${decision}`),
      ...(before === null ? [] : [colours.dim(printable(`> ${before}`))]),
      ...[`> ${input}`, excerpt(response, MAX_ANSWER_LENGTH)].map(printable),
      printable(`why: ${why.join("; ")}`),
    ]),
    ...hintAtMore(more),
  ];
}

function hintAtMore(more: number): string[] {
  return more > 0 ? ["", `… and ${more} more; a higher --limit lists them, and --all lists every one`] : [];
}

function hintAt({ botId, unmatched, refusedMessages }: BotAudit): string[] {
  if (unmatched.turns + refusedMessages.turns === 0) return [];
  return ["", `Why one of them: parley explain --bot ${botId} "message"`];
}

function decisionRows({ decisions, turns: all }: BotAudit): string[][] {
  return Object.entries(decisions)
    .toSorted(([, a], [, b]) => b - a)
    .map(([decision, turns]) => [decision, String(turns), formatShare(turns / all)]);
}

function describeCounts(heading: string, refusals: readonly RefusalCount[]): string[] {
  if (refusals.length === 0) return [];
  const rows = refusals
    .slice(0, MAX_ROWS)
    .map(({ reason, turns, ...refused }) => [refusedAs(refused), reason, String(turns)]);
  return ["", heading, formatTable(["WHAT", "REASON", "TURNS"], rows)];
}

/** Actions by intent and outcome. */
function describeCalls(calls: BotAudit["calls"], colours: Colours): string[] {
  if (calls.length === 0) return [];
  const rows = calls.map((call) => [
    call.intent,
    `${call.method} ${call.endpoint}`,
    call.isDry ? "would be called" : STATES[call.state],
    call.isDry ? "" : outcomeOfCall(asReceipt(call)).join("; "),
    String(call.turns),
  ]);
  const table = formatTable(["ACTION", "ENDPOINT", "RESULT", "BECAUSE", "TURNS"], rows);
  return ["", colours.bold("Actions:"), table];
}

const asReceipt = ({ status, fault, proofFailed }: BotAudit["calls"][number]) => ({
  ...(status !== undefined && { status }),
  ...(fault !== undefined && { fault }),
  ...(proofFailed && { proofFailed }),
});

/** Each message as a line of YAML, so that it can be pasted under the `examples` of an intent. */
function describeMessages(what: string, found: UnansweredMessages, colours: Colours): string[] {
  const { turns, clustered, notKept, askedBack, clusters, more } = found;
  if (turns === 0) return [];
  const facts = [
    ...(askedBack > 0 ? [`${askedBack} of them got a clarifying question`] : []),
    ...(notKept > 0 ? [`${notKept} of them without stored text`] : []),
    ...(clustered < turns - notKept ? [`only the latest ${clustered} are grouped`] : []),
  ];
  const heading = [`${what}: ${counted(turns, "message")}`, ...facts].join(", ");
  return [
    "",
    colours.bold(heading),
    ...groupSingles(clusters).flatMap(({ title, messages, rest }) => [
      "",
      colours.dim(printable(`# ${title}`)),
      printable(stringify(messages, { lineWidth: 0 }).trimEnd()),
      ...(rest > 0 ? [colours.dim(`# and ${rest} more like these`)] : []),
    ]),
    ...hintAtMore(more),
  ];
}

/** Use of documents: questions they answered, questions they could not answer, and documents never shown. */
function describeKnowledge(knowledge: BotAudit["knowledge"], colours: Colours): string[] {
  if (knowledge === null) return [];
  const { asked, answered, offered, unknown, withheld, used, unused } = knowledge;
  const rows = used.slice(0, MAX_ROWS).map(({ place, turns }) => [place, String(turns)]);
  return [
    "",
    `${colours.bold("Documents:")} searched ${counted(asked, "time")}, answered ${answered}, suggested ${offered}`,
    ...(rows.length > 0 ? [formatTable(["DOCUMENT", "SHOWN"], rows)] : []),
    ...describeUnused(unused),
    ...describeMessages("Documents that may answer were not shown", withheld, colours),
    ...describeMessages("Documents do not answer", unknown, colours),
  ];
}

function describeUnused(unused: readonly string[]): string[] {
  if (unused.length === 0) return [];
  const more = unused.length > MAX_ROWS ? ` and ${unused.length - MAX_ROWS} more` : "";
  return [printable(`never shown: ${unused.slice(0, MAX_ROWS).join(", ")}${more}`)];
}

interface MessageList {
  title: string;
  messages: readonly string[];
  /** Similar messages that are not listed. */
  rest: number;
}

/** Groups of several messages first; then single messages, by their closest intent. */
function groupSingles(clusters: readonly MessageCluster[]): MessageList[] {
  const isSingle = ({ turns }: MessageCluster) => turns === 1;
  const several = clusters
    .filter((cluster) => !isSingle(cluster))
    .map((cluster) => ({
      title: `${howMany(cluster)}, ${aboutOf(cluster)}`,
      messages: cluster.examples,
      rest: cluster.distinct - cluster.examples.length,
    }));
  const singles = [...Map.groupBy(clusters.filter(isSingle), aboutOf)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([about, same]) => ({
      title: `each once, ${about}`,
      messages: same.flatMap(({ examples }) => examples),
      rest: 0,
    }));
  return [...several, ...singles];
}

function howMany({ turns, distinct }: MessageCluster): string {
  return distinct === 1 ? `${turns} times` : counted(turns, "message");
}

/** The intent that was refused, or the term or pattern that refused it. */
function refusedAs({ intent, deniedBy }: Pick<RefusalCount, "intent" | "deniedBy">): string {
  return deniedBy === null ? (intent ?? "no intent") : deniedByInWords(deniedBy);
}

function aboutOf({ reason, refusedIntent: intent, deniedBy, closestIntent }: MessageCluster): string {
  if (reason !== "no_intent_match") return `${refusedAs({ intent, deniedBy })} by ${reason}`;
  return closestIntent === null ? "close to no intent" : `closest to ${closestIntent}`;
}
