/** Each letter with its Latin transcription by sound. */
const CYRILLIC =
  "аa бb вv гg дd еe ёe жzh зz иi йi кk лl мm нn оo пp рr сs тt уu фf хh цc чch шsh щsh ъ ыy ь эe юiu яia";
const GREEK = "αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υi φf χh ψps ωo";
const SOUNDS = new Map(`${CYRILLIC} ${GREEK}`.split(" ").map((pair) => [pair.slice(0, 1), pair.slice(1)]));

/** Transcribes a word of Cyrillic or Greek letters by sound ("ксанакс" is "xanax"); undefined for other words. */
export function soundOf(word: string): string | undefined {
  if (!/^(?:\p{Script=Cyrillic}+|\p{Script=Greek}+)$/u.test(word)) return undefined;
  return Array.from(word.toLowerCase(), (letter) => SOUNDS.get(letter) ?? letter)
    .join("")
    .replaceAll("ks", "x");
}
