import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { trainHere } from "../support/encode-here.ts";
import { emptyFolder, runExecutable } from "../support/executable.ts";

let folder: string;
beforeEach(() => void (folder = emptyFolder()));
afterEach(() => rmSync(folder, { recursive: true }));

const EXAMPLES = {
  en: { orders: ["where is my order", "track my parcel"], account: ["delete my account", "erase my data"] },
  de: {
    orders: ["wo bleibt meine Bestellung", "wann kommt mein Paket"],
    account: ["löschen Sie mein Konto", "meine Daten entfernen"],
  },
  es: {
    orders: ["dónde está mi pedido", "rastrear mi paquete"],
    account: ["borrar mi cuenta", "elimina mis datos"],
  },
  fr: {
    orders: ["où est ma commande", "suivre mon colis"],
    account: ["supprimer mon compte", "effacez mes données"],
  },
  it: {
    orders: ["dov'è il mio ordine", "traccia il mio pacco"],
    account: ["cancella il mio account", "elimina i miei dati"],
  },
  nl: {
    orders: ["waar blijft mijn bestelling", "volg mijn pakket"],
    account: ["verwijder mijn account", "wis mijn gegevens"],
  },
  pt: {
    orders: ["onde está a minha encomenda", "seguir o meu pacote"],
    account: ["apagar a minha conta", "elimina os meus dados"],
  },
};

test.each(Object.entries(EXAMPLES))(
  "knows %s as Parley does from its sources",
  async (language, examples) => {
    const intents = Object.entries(examples).map(([name, own]) => ({ name, examples: own }));
    const bot = {
      id: `bot-${language}`,
      name: "Bot",
      allowedDomains: [],
      intents: intents.map((intent) => ({ ...intent, responses: ["Yes."] })),
    };
    const { exitCode } = await runExecutable(["seed", "-", "--no-review", "--data", "data"], {
      cwd: folder,
      stdin: JSON.stringify(bot),
    });
    expect(exitCode).toBe(0);
    using db = new Database(join(folder, "data/parley.db"), { readonly: true });
    const stored = (table: string) =>
      db
        .query<{ bytes: Uint8Array }, []>(`SELECT bytes FROM ${table}`)
        .all()
        .map(({ bytes }) => bytes);
    const { model, sentences } = trainHere(
      bot.intents.map(({ responses: [answer], ...intent }) => ({ ...intent, answer })),
    );
    expect(stored("intent_models")).toEqual([model]);
    expect(stored("sentence_models")).toEqual([sentences!]);
  },
);

test("understands a message without a word of the examples, with nothing else at hand", async () => {
  const { orders, account } = EXAMPLES.en;
  const bot = {
    id: "shop",
    name: "Shop",
    allowedDomains: [],
    intents: [
      { name: "orders", examples: [...orders, "when will my package arrive"], responses: ["Soon."] },
      { name: "account", examples: [...account, "remove my profile"], responses: ["Gone."] },
    ],
  };
  await runExecutable(["seed", "-", "--no-review"], { cwd: folder, stdin: JSON.stringify(bot) });
  const { stdout, stderr } = await runExecutable(["chat", "shop", "--json"], {
    cwd: folder,
    stdin: "how long until the goods get here\n",
  });
  expect({ stderr, turns: JSON.parse(stdout).turns }).toMatchObject({
    stderr: "",
    turns: [{ intentDetected: "orders", response: "Soon." }],
  });
});
