import { send } from "../callers.ts";
import { SCRIPTED, type TortureFolder } from "../folder.ts";
import { serve } from "../server.ts";

const MESSAGES = 40;

/** Puts some messages into a folder by a server that is stopped in peace. */
export async function talkBriefly(folder: TortureFolder): Promise<void> {
  await using server = await serve(folder);
  for (let n = 0; n < MESSAGES; n++) {
    const answer = await send({ url: server.url, token: folder.token }, { botId: SCRIPTED });
    if (answer?.status !== 200) throw new Error(`status ${answer?.status}`);
  }
}
