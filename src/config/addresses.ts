import type { Config } from "./config.ts";

/** Where browsers find this server and its assets. */
export interface PublicAddresses {
  publicUrl: string;
  cdnUrl: string;
}

/** The addresses that browsers use, never derived from a request; `boundPort` matters where `port` is 0. */
export function publicAddresses(
  config: Pick<Config, "host" | "publicUrl" | "cdnUrl">,
  boundPort: number,
): PublicAddresses {
  const publicUrl = config.publicUrl ?? `http://${hostInUrl(config.host)}:${boundPort}`;
  return { publicUrl, cdnUrl: config.cdnUrl ?? `${publicUrl}/cdn` };
}

/** The address that operators' browsers use; `boundPort` matters where `operatorPort` is 0. */
export function operatorAddress(
  { operatorUrl, operatorHost }: Pick<Config, "operatorUrl" | "operatorHost">,
  boundPort: number,
): string {
  return operatorUrl ?? `http://${hostInUrl(operatorHost)}:${boundPort}`;
}

/** Warnings about settings that are valid but risky. */
export function configWarnings(config: Config): string[] {
  const warnings: string[] = [];
  if (isWildcard(config.host) && config.publicUrl === undefined) {
    warnings.push(
      `widgets are told to talk to http://localhost:${config.port}; name the address that browsers use with --public-url`,
    );
  }
  if (!isLoopback(config.operatorHost)) {
    warnings.push(
      `--operator-host ${config.operatorHost} lets other machines read the metrics, and sign in; keep it behind a firewall`,
    );
  }
  return warnings;
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** Whether only this machine reaches what listens there. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

function hostInUrl(host: string): string {
  if (isWildcard(host)) return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
