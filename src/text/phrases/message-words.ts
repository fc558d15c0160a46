import { normaliseText } from "../normalise.ts";

/** A word or an emoji of a message. */
export interface MessageWord {
  kind: "word" | "emoji";
  /** A word as `normaliseText` makes it; an emoji without the colour of its skin. */
  text: string;
  /** Where it stands in the message as it was written, in UTF-16 units. */
  start: number;
  end: number;
}

const EMOTICON = String.raw`(?<![\p{L}\p{N}])(?:[:;=]['’]?[-o^]?[()\[\]DdPpOo3|/\\*xX$S]+|[xX]D+|<3+|\^_*\^|-_+-|[oO]_[oO])(?![\p{L}\p{N}])`;
const EMOJI = String.raw`\p{RI}\p{RI}|\p{Extended_Pictographic}(?:\uFE0F|\p{EMod})*(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{EMod})*)*`;
const WORD = String.raw`[\p{L}\p{M}\p{N}]+(?:['’‘\u0060´][\p{L}\p{M}]+)*`;
const PIECES = new RegExp(`(?<emoticon>${EMOTICON})|(?<emoji>${EMOJI})|(?<word>${WORD})`, "gu");
const VARIATIONS = /[\uFE0F\u20E3]|\p{EMod}/gu;

/** What stands for all emoticons, `:-)` and the like. */
export const EMOTICON_AS_EMOJI = "🙂";

/** The words and emoji of a message, in order; an emoticon is read as an emoji. */
export function wordsOfMessage(text: string): MessageWord[] {
  return [...text.matchAll(PIECES)].map(({ 0: written, groups, index }) => {
    const place = { start: index, end: index + written.length };
    if (groups?.["word"] !== undefined) {
      return { kind: "word", text: normaliseText(written.replaceAll(VARIATIONS, "")), ...place };
    }
    const emoji = groups?.["emoji"]?.replaceAll(VARIATIONS, "") ?? EMOTICON_AS_EMOJI;
    return { kind: "emoji", text: emoji, ...place };
  });
}
