import { h } from "preact";
import { useState } from "preact/hooks";

import { ask } from "../../api/client.ts";
import { Problem } from "../../api/problem.ts";
import { asProblem } from "../../api/resource.ts";
import { bots, refreshBots } from "../../bots.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/filters.tsx";
import { Fault, Notice } from "../../parts/states.tsx";
import { go } from "../../router.ts";
import { say } from "../../toasts.ts";
import { useOnce } from "../../use-once.ts";
import { editBot } from "../../yaml/bot-edits.ts";

/** A bot with a greeting and no intents. */
const BEGINNING = `id: new-bot
name: New bot

# Where the widget may stand; "*" is anywhere.
allowedDomains: []

# What visitors may ask for: each intent has examples of what they write, and answers.
intents: []

# Messages that have to stay as they are; they are run before a version is published.
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

/** If another operator has created a bot with this id, the problem names that operator. */
async function sayingWhoWasFirst(problem: Problem, id: string): Promise<Problem> {
  if (problem.status !== 409) return problem;
  try {
    const { publishedBy } = await ask("GET /bots/:bot", { path: { bot: id } });
    const { status, code, requestId } = problem;
    const detail = `${publishedBy} published a bot with this id in the meantime. Choose another id.`;
    return new Problem({ status, code, detail, ...(requestId !== undefined && { requestId }) });
  } catch {
    // The author's name is optional: the original problem already says that the id is taken.
    return problem;
  }
}

/** Form for the name, id and domains of a new bot. Everything else is edited on its page. */
export function NewBot({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [ownId, setOwnId] = useState<string>();
  const [domains, setDomains] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const id = ownId ?? idOf(name);
  const fault =
    id === "" && name.trim() !== "" ? "The name has no Latin letters or digits: type an id." : idFault(id);
  const isReady = name.trim() !== "" && id !== "" && fault === undefined;
  const allowed = domains
    .split(",")
    .map((domain) => domain.trim())
    .filter(Boolean);
  const isNowhere = name.trim() !== "" && allowed.length === 0;
  const making = useOnce(async () => {
    const yaml = editBot(
      BEGINNING,
      { kind: "set", path: ["id"], value: id },
      { kind: "set", path: ["name"], value: name.trim() },
      { kind: "set", path: ["allowedDomains"], value: allowed },
    );
    try {
      const bot = await ask("POST /bots", { body: { yaml: yaml! } });
      onClose();
      go(`/bots/${encodeURIComponent(bot.id)}/intents`);
      say(`${bot.name} is created. Add intents to it.`);
      await refreshBots();
    } catch (error) {
      setProblem(await sayingWhoWasFirst(asProblem(error), id));
    }
  });
  const create = (event: Event) => {
    event.preventDefault();
    if (isReady) making.run();
  };
  return (
    <Dialog title="New bot" onClose={onClose}>
      <form class="section" onSubmit={create}>
        {problem && <Fault what="The bot was not created" problem={problem} />}
        <Field label="Name">
          {(ids) => (
            <input
              id={ids.id}
              class="input"
              value={name}
              autofocus
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label="Id"
          fault={fault}
          hint="Used in addresses and in the snippet. It cannot be changed later."
        >
          {(ids) => (
            <input
              id={ids.id}
              class="input"
              value={id}
              aria-describedby={ids.describedBy}
              aria-invalid={fault !== undefined}
              spellcheck={false}
              onInput={(event) => setOwnId(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Allowed domains" hint="Separated by commas; * allows every domain.">
          {(ids) => (
            <input
              id={ids.id}
              class="input"
              value={domains}
              aria-describedby={ids.describedBy}
              placeholder="shop.example, *.shop.example"
              onInput={(event) => setDomains(event.currentTarget.value)}
            />
          )}
        </Field>
        {isNowhere && (
          <Notice kind="look" title="Without a domain, every message gets 403.">
            <p>Nobody gets an answer until this bot has a domain; add it on the bot's page.</p>
          </Notice>
        )}
        <div class="actions">
          <span class="end" />
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={!isReady || making.isBusy}>
            {isNowhere ? "Create without a domain" : "Create"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
