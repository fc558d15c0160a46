/**
 * Phrases by which visitors say what they meant instead, in the languages of `text/languages`. They are no small-talk kind, because the
 * same message asks something else.
 */
const MEANT_OTHERWISE =
  /(?<!\p{L})(?:i (?:mean|meant)|not what i|ich mein(?:te|e)?|das mein(?:te|e) ich nicht|bedoel(?:de)?|je voulais dire|pas ce que je|quiero decir|quise decir|quería decir|me refiero|me refería|intendevo|volevo dire|eu quis dizer|queria dizer|quero dizer)(?!\p{L})/iu;

/** Whether a message says that something else was meant. */
export function saysOtherwise(text: string): boolean {
  return MEANT_OTHERWISE.test(text);
}
