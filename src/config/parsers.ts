import { Value } from "@sinclair/typebox/value";
import ipaddr from "ipaddr.js";

import { PersonalDataKind } from "../domain/personal-data.ts";
import { SecretUrl } from "../domain/secret-url.ts";
import { parseDuration } from "../domain/time.ts";
import { assertPercentEncoded, ESCAPED_IN_PASSWORDS } from "./store-address.ts";

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Reads a setting's text. @throws Error whose message says what the value should be, or AggregateError of several. */
export type Parser<Value> = (text: string) => Value;

/** A parser of one of these words. */
function oneOf<Word extends string>(words: readonly Word[]): Parser<Word> {
  return (text) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    throw new Error(`should be one of ${words.join(", ")}`);
  };
}

/** A parser of a comma-separated list. */
function eachOf<Part>(parse: Parser<Part>): Parser<readonly Part[]> {
  return (text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => parse(part));
}

export const parseFolder: Parser<string> = (text) => text;

export const parseHost: Parser<string> = (text) => {
  const host = text.replace(/^\[(.*)\]$/, "$1");
  if (ipaddr.isValid(host) || /^[\w.-]+$/.test(host)) return host;
  throw new Error("should be a host name or an address, without scheme and port");
};

export const parsePort: Parser<number> = (text) => parseInteger(text, 0, 65_535);

export const parseCount: Parser<number> = (text) => parseInteger(text, 1, 1_000_000);

export const parseRate: Parser<number> = (text) => {
  const rate = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (rate > 0 && rate <= 1_000_000) return rate;
  throw new Error("should be a number above 0, at most 1000000");
};

const MAX_INTERVAL_MS = 366 * 24 * 60 * 60 * 1000;

/** Milliseconds between two runs of something. */
export const parseInterval: Parser<number> = (text) => {
  const intervalMs = parseDuration(text) ?? 0;
  if (intervalMs > 0 && intervalMs <= MAX_INTERVAL_MS) return intervalMs;
  throw new Error("should be a time as 6h, 30m or 1d, at most a year");
};

/** An http or https address without a trailing slash, so that paths can be appended. */
export const parseBaseUrl: Parser<string> = (text) => {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new Error("should be an http or https address, as in https://chat.example");
  }
  if (url.username || url.password) throw new Error("should not hold a user name or a password");
  if (url.search || url.hash || /[?#]$/.test(text)) throw new Error("should have no query and no fragment");
  return url.href.replace(/\/+$/, "");
};

/** As a base address, with whatever path and query. */
export const parseWebhookUrl: Parser<SecretUrl> = (text) => {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new Error("should be an http or https address, as in https://crm.example/parley");
  }
  if (url.username || url.password) throw new Error("should not hold a user name or a password");
  return new SecretUrl(url.href, "all but the origin");
};

/** The address of a mail server. Messages never repeat it: it may hold a password. */
export const parseMailServer: Parser<SecretUrl> = (text) => {
  const url = URL.parse(text);
  if (!url || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "") {
    throw new Error(
      `should be an address as smtp://user:password@host:587, or smtps://… with TLS from the start, in which a password has ${ESCAPED_IN_PASSWORDS}`,
    );
  }
  assertPercentEncoded(url);
  return new SecretUrl(url.href);
};

/** `Parley <parley@example.com>`, or the address alone. */
export const parseSender: Parser<string> = (text) => {
  if (/^[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/.test(text)) return text;
  throw new Error("should be an e-mail address, as in parley@example.com or Parley <parley@example.com>");
};

const DATABASE_NUMBER = /^\/?\d{0,5}$/;

/** The address of a server that speaks the protocol of Redis. Messages never repeat it: it may hold a password. */
export const parseBucketServer: Parser<SecretUrl> = (text) => {
  const url = URL.parse(text);
  if (!url || !["redis:", "rediss:"].includes(url.protocol) || url.hostname === "") {
    throw new Error(
      `should be an address as redis://host:6379, or rediss://host:6379 with TLS, in which a password has ${ESCAPED_IN_PASSWORDS}`,
    );
  }
  if (/[?#]/.test(url.href) || !DATABASE_NUMBER.test(url.pathname)) {
    throw new Error(
      "should have nothing behind its port but the number of a database, as in redis://host:6379/1",
    );
  }
  if (url.username && !url.password) throw new Error("should not name a user without a password");
  assertPercentEncoded(url);
  return new SecretUrl(url.href);
};

/** Comma-separated networks; a single address counts as the network of itself. */
export const parseNetworks: Parser<readonly string[]> = eachOf(parseNetwork);

/** Comma-separated hosts, each with a port or without. */
export const parseHosts: Parser<readonly string[]> = eachOf(parseHostAndPort);

/** As the `host` of an address, without the port that goes without saying. */
function parseHostAndPort(text: string): string {
  const url = URL.parse(`http://${text}/`);
  if (url && url.pathname === "/" && url.username === "" && url.search + url.hash === "") return url.host;
  throw new Error("should be hosts, as in wiki.internal, 10.0.0.5:8080");
}

/** Comma-separated origins, as a browser writes them. */
export const parseOrigins: Parser<readonly string[]> = eachOf(parseOrigin);

function parseOrigin(text: string): string {
  const url = URL.parse(text);
  if (url && ["http:", "https:"].includes(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new Error("should be origins, as in https://assets.example, https://cdn.example:8443");
}

export const parseLogLevel: Parser<LogLevel> = oneOf(LOG_LEVELS);

const STORED_MESSAGES = ["all", "none"] as const;
/** How much of messages is stored. */
export type StoredMessages = (typeof STORED_MESSAGES)[number];

export const parseStoredMessages: Parser<StoredMessages> = oneOf(STORED_MESSAGES);

const ENCODER_SETTINGS = ["on", "off"] as const;
/** Whether texts are encoded. */
export type EncoderSetting = (typeof ENCODER_SETTINGS)[number];

export const parseEncoder: Parser<EncoderSetting> = oneOf(ENCODER_SETTINGS);

/** Kinds of personal data, comma-separated; `none` for none of them. */
export const parsePersonalData: Parser<readonly PersonalDataKind[]> = (text) => {
  if (text.trim() === "none") return [];
  const kinds = text.split(",").map((part) => part.trim());
  if (kinds.every((kind) => Value.Check(PersonalDataKind, kind))) return [...new Set(kinds)];
  throw new Error("should be some of card-number, iban, e-mail, phone, comma-separated, or none");
};

export const parseSwitch: Parser<boolean> = (text) => {
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw new Error("should be true or false");
};

function parseInteger(text: string, minimum: number, maximum: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new Error(`should be a whole number from ${minimum} to ${maximum}`);
}

function parseNetwork(text: string): string {
  if (ipaddr.isValidCIDR(text)) return text;
  const isFullAddress = ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text);
  if (isFullAddress) return `${text}/${ipaddr.parse(text).kind() === "ipv6" ? 128 : 32}`;
  throw new Error("should be addresses or networks, as in 10.0.0.0/8, 192.168.1.5, fd00::/8");
}
