import { whyUnreachable } from "../../action/reach-endpoint.ts";
import { type Endpoints, type EndpointSettings, variablesOf } from "../../config/endpoints.ts";
import { secretFault } from "../../notify/signature.ts";
import { type Finding, fine, listNames } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const REACH_MS = 3000;

/** Finds endpoints whose variables are not set, or that cannot be reached. No request is sent. */
export async function examineEndpoints(endpoints: Endpoints, env: Environment): Promise<Finding[]> {
  const all = Object.entries(endpoints);
  if (all.length === 0) return [fine("endpoints", "none are configured")];
  const faults = (
    await Promise.all(all.map(([name, settings]) => examineEndpoint(name, settings, env)))
  ).flat();
  const told = [...faults, ...describePublic(all)];
  return faults.length > 0 ? told : [fine("endpoints", `${all.length} can be reached`), ...told];
}

async function examineEndpoint(
  name: string,
  settings: EndpointSettings,
  env: Environment,
): Promise<Finding[]> {
  const { secretEnv } = settings;
  const unset = variablesOf({ [name]: settings }).filter((variable) => !env[variable]);
  const mend = (message: string, cure: string): Finding => ({
    check: "endpoints",
    severity: "mend",
    message,
    cure,
  });
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
  const reason = await whyUnreachable(settings, REACH_MS);
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
    : [fine("endpoints", `${listNames(names)}: public, so that actions need no proof`)];
}
