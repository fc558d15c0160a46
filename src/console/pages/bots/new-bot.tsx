import { h } from "preact";
import { useState } from "preact/hooks";

import { ask } from "../../api/client.ts";
import { rethrow } from "../../api/problem.ts";
import { bots, refreshBots } from "../../bots.ts";
import { FormDialog } from "../../parts/dialog.tsx";
import { Input } from "../../parts/fields.tsx";
import { Notice } from "../../parts/states.tsx";
import { go } from "../../router.ts";
import { say } from "../../toasts.ts";
import { editBot } from "../../yaml/bot-edits.ts";

/** A bot with a greeting and no intents. */
const BEGINNING = `id: new-bot
name: New bot

# Domains whose pages may show the widget; "*" allows every domain.
allowedDomains: []

# Intents: what visitors ask for, each with example messages and answers.
intents: []

# Tests: messages whose answers must not change. They run before each publication.
tests: []
`;

const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function idOf(name: string): string {
  const letters = name.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
  return letters.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}

function idFault(id: string): string | undefined {
  if (id === "") return undefined;
  if (!ID.test(id)) return "Use lower-case letters, digits and - between them.";
  return bots.value?.some((bot) => bot.id === id) === true ? "Another bot has this id." : undefined;
}

/** Form for the name, id and domains of a new bot. Everything else is edited on its page. */
export function NewBot({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [ownId, setOwnId] = useState<string>();
  const [domains, setDomains] = useState("");
  const id = ownId ?? idOf(name);
  const fault =
    id === "" && name.trim() !== "" ? "The name has no Latin letters or digits: type an id." : idFault(id);
  const isReady = name.trim() !== "" && id !== "" && fault === undefined;
  const allowed = domains
    .split(",")
    .map((domain) => domain.trim())
    .filter(Boolean);
  const isNowhere = name.trim() !== "" && allowed.length === 0;
  const create = async () => {
    const yaml = editBot(
      BEGINNING,
      { kind: "set", path: ["id"], value: id },
      { kind: "set", path: ["name"], value: name.trim() },
      { kind: "set", path: ["allowedDomains"], value: allowed },
    );
    const bot = await ask("POST /bots", { body: { yaml: yaml! } }).catch(
      rethrow(409, async () => {
        const { publishedBy } = await ask("GET /bots/:bot", { path: { bot: id } });
        return `${publishedBy} published a bot with this id in the meantime. Choose another id.`;
      }),
    );
    onClose();
    go(`/bots/${encodeURIComponent(bot.id)}/intents`);
    say(`${bot.name} is created. Add intents to it.`);
    await refreshBots();
  };
  return (
    <FormDialog
      title="New bot"
      fault="The bot was not created"
      does={isNowhere ? "Create without a domain" : "Create"}
      isReady={isReady}
      onSubmit={create}
      onClose={onClose}
    >
      <Input label="Name" value={name} autofocus onType={setName} />
      <Input
        label="Id"
        fault={fault}
        hint="Used in addresses and in the snippet. It cannot be changed later."
        value={id}
        spellcheck={false}
        onType={setOwnId}
      />
      <Input
        label="Allowed domains"
        hint="Separated by commas; * allows every domain."
        placeholder="shop.example, *.shop.example"
        value={domains}
        onType={setDomains}
      />
      {isNowhere && (
        <Notice kind="look" title="Without a domain, every message gets 403.">
          <p>Nobody gets an answer until this bot has a domain; add it on the bot's page.</p>
        </Notice>
      )}
    </FormDialog>
  );
}
