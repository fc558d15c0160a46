import type { ModelServers, ModelServerSettings } from "../../config/models.ts";
import { Deadline } from "../../model/deadline.ts";
import { type CallFailure, callServer } from "../../model/http-call.ts";
import { type Finding, fine } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Listing models is quick; a server that takes longer than this is too slow for visitors. */
const REACH_MS = 5000;

/** Finds model servers with a missing key, or that cannot be reached. No completion is requested. */
export async function examineModelServers(models: ModelServers, env: Environment): Promise<Finding[]> {
  const servers = Object.entries(models);
  const findings = await Promise.all(servers.map(([name, settings]) => examineServer(name, settings, env)));
  const faults = findings.filter((finding) => finding !== undefined);
  if (servers.length === 0) return [fine("model-servers", "none are configured")];
  return faults.length > 0 ? faults : [fine("model-servers", `${servers.length} can be reached`)];
}

async function examineServer(
  name: string,
  { baseUrl, apiKeyEnv }: ModelServerSettings,
  env: Environment,
): Promise<Finding | undefined> {
  const apiKey = apiKeyEnv === undefined ? undefined : env[apiKeyEnv];
  if (apiKeyEnv !== undefined && !apiKey) {
    return {
      check: "model-servers",
      severity: "mend",
      message: `\`${name}\` has no key: the environment variable ${apiKeyEnv} is not set here`,
      cure: `put the key into ${apiKeyEnv}, and run this command in the environment of the server`,
    };
  }
  using deadline = new Deadline(REACH_MS);
  const address = { baseUrl, ...(apiKey !== undefined && { apiKey }) };
  const answer = await callServer(address, { path: "/models" }, { signal: deadline.signal, now: Date.now });
  if (!answer.ok) return judgeFailure(name, answer, deadline.hasPassed);
  await answer.value.body?.cancel();
  return undefined;
}

/** Listing models is optional: any status shows that the server responds, and 401 or 403 that the key is wrong. Pure. */
function judgeFailure(name: string, failure: CallFailure, isLate: boolean): Finding | undefined {
  const { status, reason } = failure;
  const cure = `parley model check ${name}`;
  if (status === undefined) {
    const why = isLate ? `no answer within ${REACH_MS / 1000} s` : reason;
    return {
      check: "model-servers",
      severity: "mend",
      message: `\`${name}\` cannot be reached: ${why}`,
      cure,
    };
  }
  if (status !== 401 && status !== 403) return undefined;
  return {
    check: "model-servers",
    severity: "mend",
    message: `\`${name}\` does not take the key (status ${status})`,
    cure,
  };
}
