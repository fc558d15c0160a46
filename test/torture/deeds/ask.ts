import type { Line } from "../callers.ts";

/** A server as visitors reach it by a token, and operators by a key. */
export interface OperatedLine extends Line {
  operatorUrl: string;
  key: string;
}

/** The server was killed before it answered: what it was asked may be stored, or not. */
export class ServerGone extends Error {}

/** The store did not answer in time: as much is known as of a server that was killed. */
export class StoreBusy extends ServerGone {}

const UNAVAILABLE = 503;

export interface Asked<Body> {
  status: number;
  etag: string;
  body: Body;
}

interface AskOptions {
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
}

/** Asks the operator API. @throws ServerGone, StoreBusy */
export function ask<Body>(
  { operatorUrl, key }: OperatedLine,
  method: string,
  path: string,
  options: AskOptions = {},
): Promise<Asked<Body>> {
  return request(`${operatorUrl}/api/v1${path}`, method, key, options);
}

/** Asks a route for visitors. @throws ServerGone, StoreBusy */
export function askAsVisitor<Body>(
  { url, token }: OperatedLine,
  method: string,
  path: string,
  options: AskOptions = {},
): Promise<Asked<Body>> {
  return request(`${url}${path}`, method, token, options);
}

async function request<Body>(
  url: string,
  method: string,
  secret: string,
  { body, form, headers = {} }: AskOptions,
): Promise<Asked<Body>> {
  const json = body === undefined ? {} : { "Content-Type": "application/json" };
  const sent = form ?? (body === undefined ? null : JSON.stringify(body));
  const { answer, text } = await exchange(url, {
    method,
    headers: { Authorization: `Bearer ${secret}`, ...json, ...headers },
    body: sent,
  });
  if (answer.status === UNAVAILABLE) throw new StoreBusy(`${method} ${url}: ${text}`);
  return {
    status: answer.status,
    etag: answer.headers.get("etag") ?? "",
    body: (text === "" ? undefined : JSON.parse(text)) as Body,
  };
}

async function exchange(url: string, init: RequestInit): Promise<{ answer: Response; text: string }> {
  try {
    const answer = await fetch(url, init);
    return { answer, text: await answer.text() };
  } catch (cause) {
    throw new ServerGone(url, { cause });
  }
}
