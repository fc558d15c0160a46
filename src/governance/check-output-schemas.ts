import type { BotRule } from "../domain/bot.ts";
export const checkOutputSchemas: BotRule = () => [];
