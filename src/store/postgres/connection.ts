import { SQL } from "bun";

import type { StoreAddress, TlsMode } from "../../config/store-address.ts";
import { arrayLiteral, type Element } from "./array-literal.ts";
import { DeadlineError, sqlState } from "./failure.ts";

/** A list as one parameter; the statement names its type, as in `$1::text[]`. */
export class List {
  readonly values: readonly Element[];

  constructor(values: readonly Element[]) {
    this.values = values;
  }
}

export type Parameter = Element | List;

/** The rows that a statement returns; integers are numbers. */
export type Rows<Row> = Row[] & {
  /** Number of rows that it returned or, without `RETURNING`, changed. */
  readonly count: number;
};

/** Runs statements: on a connection, or inside a transaction. */
export interface Queries {
  /** Each text is prepared once for each connection, so texts must be few and hold no values. */
  query<Row = unknown>(text: string, parameters?: readonly Parameter[]): Promise<Rows<Row>>;
}

/** A transaction. A script, several statements in one text without parameters, is part of it as well. */
export interface Transaction extends Queries {
  runScript(text: string): Promise<void>;
}

/** Timeout of a connection attempt, in seconds. Chosen by hand. */
const CONNECT_SECONDS = 3;

/**
 * One connection, opened at its first use, and again after a loss. A frozen or unreachable server would hold a caller for ever, so each
 * statement has a deadline. After a deadline the connection is closed, because its next answer would belong to the late statement.
 */
export class Connection implements Queries, AsyncDisposable {
  readonly #options: SQL.Options;
  readonly #deadlineMs: number;
  #sql: SQL;

  constructor(address: StoreAddress, deadlineMs: number) {
    this.#options = optionsOf(address);
    this.#deadlineMs = deadlineMs;
    this.#sql = new SQL(this.#options);
  }

  query<Row = unknown>(text: string, parameters: readonly Parameter[] = []): Promise<Rows<Row>> {
    return this.#query<Row>(this.#sql, text, parameters);
  }

  /** Runs `work` in a transaction. BEGIN and COMMIT have a deadline each, and so has every statement in between. */
  async transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const begun = Promise.withResolvers<void>();
    const worked = Promise.withResolvers<void>();
    const done = this.#sql.begin(async (transaction) => {
      begun.resolve();
      try {
        return await work({
          query: <Row>(text: string, parameters: readonly Parameter[] = []) =>
            this.#query<Row>(transaction, text, parameters),
          runScript: (text: string) => this.#within(transaction.unsafe(text).simple()),
        });
      } finally {
        worked.resolve();
      }
    });
    await this.#within(Promise.race([begun.promise, done]));
    await Promise.race([worked.promise, done]);
    return this.#within(done);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sql.close({ timeout: 0 });
  }

  async #query<Row>(on: SQL, text: string, parameters: readonly Parameter[]): Promise<Rows<Row>> {
    const rows: DriverRows<Row> = await this.#within(on.unsafe(text, bind(parameters)));
    return withNumbers(rows);
  }

  async #within<Result>(answer: Promise<Result>): Promise<Result> {
    const deadline = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      deadline.reject(new DeadlineError(`PostgreSQL did not answer within ${this.#deadlineMs / 1000} s`));
      this.#replace();
    }, this.#deadlineMs);
    try {
      return await Promise.race([answer, deadline.promise]);
    } catch (error) {
      // A standby stays read-only: a new connection may reach the server that replaced it.
      if (sqlState(error) === "25006") this.#replace();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #replace(): void {
    const lost = this.#sql;
    this.#sql = new SQL(this.#options);
    // Waiting callers get the error of the loss; an error of closing would add nothing.
    lost.close({ timeout: 0 }).catch(() => {});
  }
}

/** Rows as the driver returns them. */
type DriverRows<Row> = Rows<Row> & { readonly columns?: readonly { name: string; type: number }[] };

/** PostgreSQL's type number of `bigint`, which the driver returns as text. */
const BIGINT = 20;

/** Converts bigints to numbers: all counts, keys and instants are far below 2⁵³. */
function withNumbers<Row>(rows: DriverRows<Row>): Rows<Row> {
  for (const { name, type } of rows.columns ?? []) {
    if (type !== BIGINT) continue;
    for (const row of rows as Record<string, string | number | null>[]) {
      if (row[name] !== null) row[name] = Number(row[name]);
    }
  }
  return rows;
}

function bind(parameters: readonly Parameter[]): unknown[] {
  return parameters.map((parameter) =>
    parameter instanceof List ? arrayLiteral(parameter.values) : parameter,
  );
}

/** Every option is given, so that the driver takes none from the environment. */
function optionsOf(address: StoreAddress): SQL.Options {
  const url = address.reveal();
  const { searchParams } = url;
  const certificate = searchParams.get("sslrootcert");
  const mode = (searchParams.get("sslmode") ?? "prefer") as TlsMode;
  return {
    adapter: "postgres",
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port || 5432),
    username: decodeURIComponent(url.username) || "postgres",
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    tls: certificate === null ? mode : { ca: Bun.file(certificate) },
    prepare: searchParams.get("prepare") !== "false",
    connectionTimeout: CONNECT_SECONDS,
    connection: { application_name: "parley" },
    max: 1,
  };
}
