/** Pseudo-random numbers from 0 to 1 (a linear congruential generator; constants of Numerical Recipes): the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

const ODD_WORDS = [
  ..."привет как удалить аккаунт حذف حسابي 注文 はどこ где заказ ñandú löschen 😀 👍🏽 xD :-) http://www.shop.com/delete".split(
    " ",
  ),
  ..."delete-my_account d3l3t3 dELETE deletemyaccount e-mail 12.50 #42 ＤＥＬＥＴＥ ⅾelete eteled qryrgr nppbhag".split(
    " ",
  ),
  ..."aGVsbG8gd29ybGQ= ZGVsZXRlIG15IGFjY291bnQ 64656c657465206d79 %64%65lete &#100;elete I'm don't u're".split(
    " ",
  ),
  ..."whaaaat deleeete human agent 转人工 I a O hi thanks hello bye Invoice ILLEGAL 00000000 lol idk and und et plus".split(
    " ",
  ),
  "four",
  "nine's",
  "o'zwei",
  "Acht",
  "de lete",
  "de le te",
  "d e l e t e",
  "",
  "  ",
  "?!",
  "...",
  "'",
  "I'm's",
  "- -",
];
/** Courtesies, and texts that resemble their beginnings and ends, in some languages, for use before and after requests. */
const BEFORE_REQUESTS =
  "hi|hello there|good morning|guten tag|hallo|buenos dias|bonjour|ciao|hey acme|dear sir|mr smith|are you a robot|my name is ann|thanks for that|ola|how are you|how is|helo|who are|guten|can i talk to a human about|let me speak to somebody|i want an agent".split(
    "|",
  );
const BEHIND_REQUESTS =
  "thanks|thank you|many thanks|thx|danke|vielen dank|merci beaucoup|gracias|obrigado|grazie|best regards from ann|sincerely|bye|see you later|later|mr smith|dank je|👍|cheers mate|please|kind regards ann b|thank|let me talk to a human|human please|not to a human|转人工".split(
    "|",
  );
const JOINTS = [",", ".", "!", "?", "...", ";", " and", " und", "-", " -", "\n", "\n\n", ":", "'s", ")"];
const BETWEEN_PARTS = [" ", " ", ", ", ". ", "! ", "\n", " - "];
const BETWEEN = [" ", " ", " ", " ", "  ", "\n", "", ", "];

const inRot13 = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    return String.fromCharCode((code | 0x20) < 0x6e ? code + 13 : code - 13);
  });

/** An endless sequence of messages from words of some texts: with typing errors, joints, disguises and other scripts; short, long and empty ones. */
export function* generatedMessages(texts: readonly string[], seed: number): Generator<string> {
  const random = numbersFrom(seed);
  const below = (end: number) => Math.floor(random() * end);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const words = texts.flatMap((text) => text.split(/\s+/));
  const word = (): string => {
    const kind = random();
    const chosen = kind < 0.08 ? pick(ODD_WORDS) : pick(words);
    const changed = random() < 0.12 ? disguised(chosen) : chosen;
    return random() < 0.1 ? changed + pick(JOINTS) : changed;
  };
  const disguised = (text: string): string => {
    const at = below(text.length);
    const [before, after] = [text.slice(0, at), text.slice(at)];
    return pick([
      () => before + after.slice(1),
      () => before + pick(Array.from("abdeilmnorst")) + after,
      () => before + text.charAt(at) + text.charAt(at).repeat(below(3)) + after,
      () => Array.from(text).toReversed().join(""),
      () => text.toUpperCase(),
      () => text.charAt(0).toUpperCase() + text.slice(1),
      () => text.replaceAll("e", "3").replaceAll("a", "4"),
      () => text.replaceAll("o", "о").replaceAll("a", "а"),
      () => text.replaceAll("l", "I"),
      () => Array.from(text).join(pick([" ", ".", "-"])),
      () => `${before} ${after}`,
      () => text + pick(words),
      () => text.replaceAll(/[a-m]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 13)),
      () => Buffer.from(text).toString(pick(["base64", "hex"])),
    ])();
  };
  /** A text in ROT13 or reversed, except for one or two words. */
  const turned = (text: string): string => {
    const turn = pick([inRot13, (one: string) => Array.from(one).toReversed().join("")]);
    return text
      .split(" ")
      .map((one) => (random() < 0.25 ? one : turn(one)))
      .join(" ");
  };
  for (;;) {
    const kind = random();
    if (kind < 0.05) yield `${pick(BEFORE_REQUESTS)}${pick(BETWEEN_PARTS)}${pick(texts)}`;
    else if (kind < 0.1) yield `${pick(texts)}${pick(BETWEEN_PARTS)}${pick(BEHIND_REQUESTS)}`;
    else if (kind < 0.15) yield `${pick(BEFORE_REQUESTS)} ${word()} ${word()} ${pick(BEHIND_REQUESTS)}`;
    else if (kind < 0.25) yield pick(texts);
    else if (kind < 0.28) yield turned(pick(texts));
    else if (kind < 0.3) yield disguised(pick(texts));
    else if (kind < 0.4) yield pick(texts) + pick(JOINTS) + pick([" ", "", " and "]) + pick(texts);
    else yield Array.from({ length: below(kind < 0.95 ? 9 : 45) }, word).join(pick(BETWEEN));
  }
}
