import { type Static, Type } from "@sinclair/typebox";

import { DEFAULT_EVENTS, DELIVERY_EVENTS, type DeliveryEvent } from "../domain/delivery.ts";
import { BotId } from "../domain/ids.ts";
import { oneOf } from "../domain/schemas.ts";
import type { SecretUrl } from "../domain/secret-url.ts";
import { namedSection, secretVariable } from "./named-section.ts";
import { parseWebhookUrl } from "./parsers.ts";

/** Where a team is told of what happens, as an operator names it under `webhooks`. The address may be private: it stands here. */
const WebhookFields = Type.Object(
  {
    url: Type.String({ description: "the http or https address that takes the events" }),
    secretEnv: secretVariable("secret, whsec_…"),
    events: Type.Optional(
      Type.Array(oneOf(DELIVERY_EVENTS), {
        minItems: 1,
        description: `a list of ${DELIVERY_EVENTS.join(", ")}; absent: ${DEFAULT_EVENTS.join(", ")}`,
      }),
    ),
    bots: Type.Optional(
      Type.Array(BotId, { minItems: 1, description: "a list of ids of bots; absent: all of them" }),
    ),
    texts: Type.Optional(
      Type.Boolean({
        description:
          "true or false, whether events of turns hold what the visitor wrote; absent: they do not",
      }),
    ),
  },
  { additionalProperties: false },
);
export type WebhookSettings = Omit<Static<typeof WebhookFields>, "url"> & {
  /** Often all that keeps others from posting there; shown by its origin alone. */
  url: SecretUrl;
};

/** The events of a webhook. Its `bots` limit them further. Pure. */
export function eventsOf({ events }: Pick<WebhookSettings, "events">): readonly DeliveryEvent[] {
  return events ?? DEFAULT_EVENTS;
}

/** Webhooks by name. */
export type Webhooks = Readonly<Record<string, WebhookSettings>>;

/** Reads the `webhooks` section. Messages name the fault, and never repeat a value: it could be a secret. */
export const parseWebhooks = namedSection({
  schema: WebhookFields,
  what: "should name webhooks, as in `crm: {url: …, secretEnv: …}`",
  needs: "`url` and `secretEnv`",
  url: { field: "url", parse: parseWebhookUrl },
  hintFor: (key) =>
    /^secret$/i.test(key)
      ? "; put the secret into the environment and name its variable in `secretEnv`"
      : undefined,
});
