import type { BotDocument } from "../../src/domain/bot.ts";
import { shopBot, type WrittenFields, type WrittenIntent } from "./bots.ts";

/** Intents of a shop for asking about and changing orders. */
export const ORDER_INTENTS: WrittenIntent[] = [
  {
    name: "orders.status",
    label: "where an order is",
    examples: [
      "where is my order",
      "has my parcel left",
      "track my order",
      "where is my parcel",
      "when does my order arrive",
      "what is the status of my order",
      "is my parcel on its way",
      "did you ship my order",
    ],
    slots: [
      { name: "orderNumber", type: "text", pattern: "[0-9]{5}", ask: "What is your order number?" },
      { name: "email", type: "email", ask: "And the e-mail address it was ordered with?" },
    ],
    action: {
      endpoint: "orders",
      path: "/orders/{orderNumber}?email={email}",
      proof: ["orderNumber", "email"],
      answers: [
        { when: { status: 404 }, say: "I find no order with that number and address." },
        { when: { "body.state": "shipped" }, say: "It left us on {body.shippedAt, date}." },
        { when: { "body.state": "packing" }, say: "It is being packed." },
        { when: { "body.state": "note" }, say: "Note: {body.note}" },
      ],
      failure: "I can't reach our order system right now.",
    },
  },
  {
    name: "orders.cancel",
    label: "cancelling an order",
    examples: [
      "cancel my order",
      "I want to cancel an order",
      "please cancel the order",
      "stop my order",
      "I no longer want what I ordered",
      "call off my order",
      "revoke my order please",
      "undo my order",
    ],
    slots: [
      { name: "orderNumber", type: "text", pattern: "[0-9]{5}", ask: "Which order?" },
      { name: "email", type: "email", ask: "Your e-mail address?" },
    ],
    action: {
      endpoint: "order-changes",
      method: "POST",
      path: "/orders/{orderNumber}/cancel",
      body: { email: "{email}" },
      proof: ["orderNumber", "email"],
      confirm: "Cancel order {orderNumber}?",
      answers: [
        { when: { status: 409 }, say: "It has left already." },
        { say: "Order {orderNumber} is cancelled." },
      ],
      failure: "That did not work.",
    },
  },
  {
    name: "store.hours",
    label: "opening hours",
    examples: [
      "when are you open",
      "what are your opening hours",
      "are you open on sunday",
      "when do you close",
      "how late is the shop open",
      "opening times please",
      "until when is the store open today",
      "do you open on saturdays",
    ],
    responses: ["We are open from nine to six."],
  },
  {
    name: "account.delete",
    label: "deleting an account",
    examples: [
      "delete my account",
      "erase my account",
      "close my account for good",
      "remove all my data",
      "I want my account gone",
      "wipe my profile",
      "terminate my account",
      "delete everything about me",
    ],
    responses: ["Done."],
  },
];

/** A shop with orders that can be looked up and cancelled. */
export function ordersBot(fields: WrittenFields = {}): BotDocument {
  return shopBot({
    intents: ORDER_INTENTS,
    capabilityProfile: { deny: ["account.*"], denyTerms: ["wayfair"] },
    handoff: { fields: ["name", "email"] },
    language: "en",
    ...fields,
  });
}
