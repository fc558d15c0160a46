/** A shorter piece is no sentence, but the rest of one. */
const MIN_CHARACTERS = 12;
/** Where a text without full stops may be cut at a space. */
const THAI_CHARACTERS = 80;

/** Ends a piece that goes on: "No. 5", "Dr. Okafor", "z. B. so", a single capital. */
const ENDS_ABBREVIATED =
  /(?:^|[\s(])(?:\p{Lu}|No|St|Dr|Mr|Mrs|Ms|Prof|vs|e\.g|i\.e|z|B|ca|Nr|Art|Abs|bzw|usw|etc|approx|fig|vol)\.\s*$/u;
const THAI = /\p{sc=Thai}/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** The sentences of a paragraph, in order; joined again they are the paragraph, white space aside. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let current = "";
  for (const { segment } of segmenter.segment(text)) {
    current += segment;
    if (current.length < MIN_CHARACTERS || goesOn(current)) continue;
    sentences.push(...cutThai(current.trim()));
    current = "";
  }
  const rest = current.trim();
  if (rest === "") return sentences;
  const last = sentences.pop();
  return [
    ...sentences,
    ...(last === undefined || rest.length >= MIN_CHARACTERS
      ? [last ?? [], rest].flat()
      : [`${last} ${rest}`]),
  ];
}

/** A longer one does not go on: letters with full stops alone would make one sentence of a whole text. */
const MAX_CHARACTERS = 1000;

function goesOn(sentence: string): boolean {
  return sentence.length < MAX_CHARACTERS && ENDS_ABBREVIATED.test(sentence.slice(-20));
}

function cutThai(sentence: string): string[] {
  if (sentence.length <= THAI_CHARACTERS || !THAI.test(sentence)) return [sentence];
  const pieces: string[] = [""];
  for (const part of sentence.split(" ")) {
    const current = pieces.at(-1) ?? "";
    if (current.length >= THAI_CHARACTERS) pieces.push(part);
    else pieces[pieces.length - 1] = current === "" ? part : `${current} ${part}`;
  }
  return pieces;
}
