import type { SocialSection } from "./social-phrases.ts";

const SECTIONS: readonly (readonly [SocialSection, string])[] = [
  ["hail", "👋"],
  ["thanks", "🙏 🤗 💐 🌹 ❤ 💜 💙 💚 🧡 💛 🥰 😘 🫶"],
  ["yes", "👍 👌 ✅ ✔ 🆗"],
  ["no", "👎 ❌"],
  ["abuse", "🖕 🤬 💩 😡 😠 😤 🤮"],
];

const BY_EMOJI = new Map(
  SECTIONS.flatMap(([section, emoji]) => emoji.split(" ").map((one) => [one, section])),
);

/** The meaning of an emoji; most only acknowledge the message before. */
export function sectionOfEmoji(emoji: string): SocialSection {
  return BY_EMOJI.get(emoji) ?? "acknowledge";
}
