import { SqlError } from "@effect/sql/SqlError"
import { Either, Option } from "effect"
import type { Pool } from "pg"
import { readSqlState } from "../StoreUnavailable.ts"
import { makeBatcher } from "./makeBatcher.ts"

/** A statement that does for many callers what they would otherwise do with a statement each. */
interface BatchedStatement<Ask> {
  /**
   * Takes one array a parameter, with an element for each ask (`unnest(…) with ordinality as asks (…, nth)`). Its rows
   * tell by `nth`, an int from 1, whose they are. The parameters stand in sub-selects, because PostgreSQL would plan the
   * statement at each call for the number of their elements.
   */
  readonly text: string
  /** The value of each parameter for an ask. */
  readonly toValues: (ask: Ask) => ReadonlyArray<unknown>
}

/**
 * Prepares a statement for all callers that come at the same time; each gets its own rows (see `makeBatcher`). It goes to
 * the pool directly: a span would belong to several requests, and a fiber would cost more than the rest.
 */
export const batchStatement = <Ask>(pool: Pool, { text, toValues }: BatchedStatement<Ask>) =>
  makeBatcher<Ask, ReadonlyArray<BatchRow>, SqlError>({
    answerAll: (asks, onAnswered) =>
      pool.query<BatchRow>(text, toColumns(asks.map(toValues)), (cause: Error | undefined, result) =>
        onAnswered(
          cause === undefined
            ? Either.right(rowsByAsk(asks.length, result.rows))
            : Either.left(new SqlError({ cause, message: "Failed to execute statement" }))
        )
      ),
    canBeFaultOfOne
  })

interface BatchRow {
  readonly nth: number
  readonly [column: string]: unknown
}

const toColumns = (values: ReadonlyArray<ReadonlyArray<unknown>>): Array<ReadonlyArray<unknown>> =>
  (values[0] ?? []).map((_, column) => values.map((ofAsk) => ofAsk[column]))

const rowsByAsk = (asks: number, rows: ReadonlyArray<BatchRow>): ReadonlyArray<ReadonlyArray<BatchRow>> => {
  const byAsk = Array.from({ length: asks }, (): Array<BatchRow> => [])
  for (const row of rows) byAsk[row.nth - 1]?.push(row)
  return byAsk
}

/**
 * The server refused the statement, so that nothing of it was done: for a value, a constraint, a lock or a deadlock, not
 * for an outage (SQLSTATE classes 08, 25, 53, 57, 58, XX).
 */
const canBeFaultOfOne = (error: SqlError): boolean =>
  Option.exists(readSqlState(error), (state) => !/^(08|25|53|57|58|XX)/.test(state))
