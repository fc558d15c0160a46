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

/** What an emoji says by itself; most only take note of what was said before. */
export function sectionOfEmoji(emoji: string): SocialSection {
  return BY_EMOJI.get(emoji) ?? "acknowledge";
}
