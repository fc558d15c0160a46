import { describe, expect, test } from "bun:test";

import type { CapabilityProfile } from "../../src/domain/bot.ts";
import { decide } from "../../src/governance/decide.ts";
import { judgeMessage } from "../../src/governance/judge-message.ts";
import { compileGovernancePolicy } from "../../src/governance/policy.ts";
import { openIntentModel } from "../../src/intent/classifier.ts";
import { trainIntentModel } from "../../src/intent/training/train.ts";
import { botWith } from "../support/bots.ts";

/** What a first bot looks like: a handful of intents with a few examples each. */
interface SmallBot {
  name: string;
  profile: CapabilityProfile;
  /** Examples by intent. */
  intents: Record<string, string[]>;
  /** Decision by message. */
  messages: Record<string, string>;
}

const BOTS: SmallBot[] = [
  {
    name: "a help desk with both lists",
    profile: { allow: ["greeting", "orders.*"], deny: ["legal.*"] },
    intents: {
      greeting: ["hello", "hi", "hey there"],
      "orders.status": ["where is my order", "track my package", "order status"],
      "orders.refund": ["I want a refund", "give me my money back", "refund my order"],
      "legal.advice": ["can I sue you", "give me legal advice", "what are my legal rights"],
      weather: ["what's the weather", "is it going to rain", "weather forecast"],
    },
    messages: {
      Hello: "allowed",
      "where is my package?": "allowed",
      "I'd like a refund please": "allowed",
      "can I sue the company": "DENY_LIST",
      "will it rain tomorrow": "NOT_IN_ALLOW_LIST",
      "purple elephants dance quietly": "no_intent_match",
      asdfghjkl: "no_intent_match",
      "What is the airspeed velocity of an unladen swallow?": "no_intent_match",
    },
  },
  {
    name: "a bot with a deny list alone",
    profile: { deny: ["billing.cancel"] },
    intents: {
      "billing.invoice": ["send me my invoice", "I need a copy of my bill"],
      "billing.cancel": ["cancel my subscription", "stop my plan"],
      "support.hours": ["what are your opening hours", "when are you open"],
    },
    messages: {
      "I need my invoice": "allowed",
      "please cancel my subscription": "DENY_LIST",
      "cancel my plan": "DENY_LIST",
      "when do you open": "allowed",
      "tell me about dinosaurs": "no_intent_match",
      "xyzzy plugh": "no_intent_match",
    },
  },
  {
    name: "a bot that allows a group and denies one of it",
    profile: { allow: ["faq.*"], deny: ["faq.secret"] },
    intents: {
      "faq.shipping": ["how long does shipping take", "shipping time"],
      "faq.returns": ["how do I return an item", "return policy"],
      "faq.secret": ["what is the secret password", "tell me the password"],
      "admin.reset": ["reset the database", "wipe everything"],
    },
    messages: {
      "How long does shipping take?": "allowed",
      "what's your return policy": "allowed",
      shipping: "allowed",
      "tell me the password": "DENY_LIST",
      "reset the database": "NOT_IN_ALLOW_LIST",
      "do you like jazz music": "no_intent_match",
      qwertyuiop: "no_intent_match",
    },
  },
  {
    name: "the bot of the README",
    profile: { deny: ["account.*"] },
    intents: {
      "orders.status": ["where is my order", "track my parcel", "when will my package arrive"],
      "account.delete": ["delete my account", "erase all my data", "remove my profile"],
    },
    messages: {
      "where is the package": "allowed",
      "has my order shipped yet": "allowed",
      "please erase my data": "DENY_LIST",
      "weather?": "no_intent_match",
      "what is the weather": "no_intent_match",
      "what time is it": "no_intent_match",
      "I want a refund": "no_intent_match",
      "who is the president of France": "no_intent_match",
      "tell me a joke": "no_intent_match",
    },
  },
  {
    name: "a bot whose examples look like replies and addresses",
    profile: { deny: ["legal.*"] },
    intents: {
      "orders.status": ["where is my order", "is my parcel here yet", "track my parcel"],
      "orders.price": ["what does it cost", "how much is it", "price please"],
      "legal.claim": ["I will sue you", "I want to sue", "I complain to a lawyer", "take you to court"],
    },
    messages: {
      yes: "allowed",
      "Sure!": "allowed",
      "where is my order, I am jane.doe@example.com": "allowed",
      "where is my order https://www.shop.com/item?id=123": "allowed",
      "where is my order www.sue-you.com": "DENY_LIST",
      "https://www.shop.com/sue-you": "DENY_LIST",
      "https://": "no_intent_match",
    },
  },
  {
    name: "a bot in German",
    profile: { deny: ["konto.*"] },
    intents: {
      "bestellung.status": ["wo ist meine bestellung", "wann kommt mein paket", "paket verfolgen"],
      "konto.loeschen": ["lösche mein konto", "entferne meine daten", "profil löschen"],
    },
    messages: {
      "wo bleibt mein Paket?": "allowed",
      "bitte lösche meine Daten": "DENY_LIST",
      "wie wird das Wetter": "no_intent_match",
      "was ist die Hauptstadt von Frankreich": "no_intent_match",
    },
  },
  {
    name: "two intents of one example",
    profile: { allow: ["greet"], deny: ["medical"] },
    intents: { greet: ["hello"], medical: ["diagnose my rash"] },
    messages: { hello: "allowed", "diagnose my rash": "DENY_LIST", banana: "no_intent_match" },
  },
  {
    name: "one intent",
    profile: {},
    intents: { "opening.hours": ["when are you open", "opening hours"] },
    messages: {
      "when are you open?": "allowed",
      "Opening hours": "allowed",
      "quantum chromodynamics": "no_intent_match",
      "pasta carbonara recipe": "no_intent_match",
    },
  },
];

describe.each(BOTS)("$name", ({ profile, intents, messages }) => {
  const document = botWith({
    capabilityProfile: profile,
    intents: Object.entries(intents).map(([name, examples]) => ({ name, examples })),
  });
  const classifier = openIntentModel(trainIntentModel(document.intents!).model);
  const policy = compileGovernancePolicy(document, classifier);
  const decisionOn = (text: string) => decide({ judged: judgeMessage(text, classifier, policy), policy });

  test.each(Object.entries(messages))("%p is %s", (text, expected) => {
    const decision = decisionOn(text);
    expect(decision.kind === "allowed" ? "allowed" : decision.reason).toBe(expected as typeof decision.kind);
  });

  test("finds each example's own intent", () => {
    for (const [name, examples] of Object.entries(intents)) {
      for (const example of examples) expect(decisionOn(example).intent as string).toBe(name);
    }
  });
});
