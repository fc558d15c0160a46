import { BucketConnection } from "../../access/shared-buckets/bucket-connection.ts";
import { whyUnreachable } from "../../access/shared-buckets/bucket-server.ts";
import { whyUnreachable as whyEndpointUnreachable } from "../../action/reach-endpoint.ts";
import type { Config } from "../../config/config.ts";
import { type Endpoints, type EndpointSettings, variablesOf } from "../../config/endpoints.ts";
import type { ModelServers, ModelServerSettings } from "../../config/models.ts";
import type { Environment } from "../../domain/os-user.ts";
import type { SecretUrl } from "../../domain/secret-url.ts";
import { Deadline } from "../../model/deadline.ts";
import { type CallFailure, callServer } from "../../model/http-call.ts";
import { DeliveryError } from "../../notify/delivery-error.ts";
import { Mailer } from "../../notify/send-mail.ts";
import { secretFault } from "../../notify/signature.ts";
import { type Finding, listNames, findingsOf } from "./finding.ts";

const BUCKETS = findingsOf("buckets");
const ENDPOINTS = findingsOf("endpoints");
const MAIL = findingsOf("mail");
const MODEL_SERVERS = findingsOf("model-servers");

/** Listing models is quick; a server that takes longer than this is too slow for visitors. */
const REACH_MS = 5000;

/** Finds model servers with a missing key, or that cannot be reached. No completion is requested. */
export async function examineModelServers(models: ModelServers, env: Environment): Promise<Finding[]> {
  const servers = Object.entries(models);
  const findings = await Promise.all(servers.map(([name, settings]) => examineServer(name, settings, env)));
  const faults = findings.filter((finding) => finding !== undefined);
  if (servers.length === 0) return [MODEL_SERVERS.fine("none are configured")];
  return faults.length > 0 ? faults : [MODEL_SERVERS.fine(`${servers.length} can be reached`)];
}

async function examineServer(
  name: string,
  { baseUrl, apiKeyEnv }: ModelServerSettings,
  env: Environment,
): Promise<Finding | undefined> {
  const apiKey = apiKeyEnv === undefined ? undefined : env[apiKeyEnv];
  if (apiKeyEnv !== undefined && !apiKey) {
    return MODEL_SERVERS.mend(
      `\`${name}\` has no key: the environment variable ${apiKeyEnv} is not set here`,
      `put the key into ${apiKeyEnv}, and run this command in the environment of the server`,
    );
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
    return MODEL_SERVERS.mend(`\`${name}\` cannot be reached: ${why}`, cure);
  }
  if (status !== 401 && status !== 403) return undefined;
  return MODEL_SERVERS.mend(`\`${name}\` does not take the key (status ${status})`, cure);
}

/** Connects to the server of the token buckets and takes one message from a test bucket. */
export async function examineBucketServer(url: SecretUrl): Promise<Finding> {
  using connection = new BucketConnection(url);
  try {
    await connection.open();
    const askedAt = performance.now();
    await connection.try();
    return BUCKETS.fine(`${url.shown} answers in ${(performance.now() - askedAt).toFixed(1)} ms`);
  } catch (error) {
    return BUCKETS.mend(
      `${url.shown} cannot be used: ${await whyUnreachable(url, error)}; until then every instance counts separately`,
      "start that server, or correct its address in PARLEY_BUCKETS; servers of Parley reconnect by themselves",
    );
  }
}

/** Whether the mail server responds and accepts the login. No mail is sent. */
export async function examineMailServer({
  smtp,
  mailFrom,
}: Pick<Config, "smtp" | "mailFrom">): Promise<Finding[]> {
  if (!smtp || mailFrom === undefined) return [];
  try {
    await new Mailer(smtp, mailFrom).verify();
    return [MAIL.fine(`${smtp.shown} answers${smtp.holdsSecret ? ", and takes the login" : ""}`)];
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    const cure =
      "see that address, user and password of `smtp` are right, and that this machine may connect there; `parley mail test` sends an e-mail";
    return [MAIL.mend(`${smtp.shown}: ${error.message}`, cure)];
  }
}

/** Opening a connection is quick; nothing else is asked of an endpoint. */
const ENDPOINT_REACH_MS = 3000;

/** Finds endpoints whose variables are not set, or that cannot be reached. No request is sent. */
export async function examineEndpoints(endpoints: Endpoints, env: Environment): Promise<Finding[]> {
  const all = Object.entries(endpoints);
  if (all.length === 0) return [ENDPOINTS.fine("none are configured")];
  const faults = (
    await Promise.all(all.map(([name, settings]) => examineEndpoint(name, settings, env)))
  ).flat();
  const told = [...faults, ...describePublic(all)];
  return faults.length > 0 ? told : [ENDPOINTS.fine(`${all.length} can be reached`), ...told];
}

async function examineEndpoint(
  name: string,
  settings: EndpointSettings,
  env: Environment,
): Promise<Finding[]> {
  const { secretEnv } = settings;
  const unset = variablesOf({ [name]: settings }).filter((variable) => !env[variable]);
  const mend = (message: string, cure: string): Finding => ENDPOINTS.mend(message, cure);
  const variables = unset.map((variable) =>
    mend(
      `\`${name}\`: the environment variable ${variable} is not set`,
      `set ${variable}, and run this command in the environment of the server`,
    ),
  );
  const fault = secretEnv === undefined || !env[secretEnv] ? undefined : secretFault(env[secretEnv]);
  const secret =
    fault === undefined
      ? []
      : [
          mend(
            `\`${name}\`: the environment variable ${secretEnv} ${fault}`,
            `make one with \`echo "${secretEnv}=whsec_$(openssl rand -base64 32)"\``,
          ),
        ];
  const reason = await whyEndpointUnreachable(settings, ENDPOINT_REACH_MS);
  const unreached =
    reason === undefined
      ? []
      : [
          mend(
            `\`${name}\` cannot be reached: ${reason}`,
            `see whether ${settings.url} is its address as seen from this machine`,
          ),
        ];
  return [...variables, ...secret, ...unreached];
}

/** Lists public endpoints, which check no proof of identity; the operator has to know whether that is right. */
function describePublic(endpoints: readonly [string, EndpointSettings][]): Finding[] {
  const names = endpoints.filter(([, settings]) => settings.public).map(([name]) => name);
  return names.length === 0
    ? []
    : [ENDPOINTS.fine(`${listNames(names)}: public, so that actions need no proof`)];
}
