import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Option } from "effect"
import { readSqlState } from "../StoreUnavailable.ts"
import { makeBatcher } from "./makeBatcher.ts"

/** A statement that does for many callers what they would otherwise do with a statement each. */
interface BatchedStatement<Ask> {
  /**
   * Takes one array a parameter, with an element for each ask (`unnest(…) with ordinality as asks (…, nth)`). Its rows
   * tell by `nth`, an int from 1, whose they are.
   */
  readonly text: string
  /** The value of each parameter for an ask. */
  readonly toValues: (ask: Ask) => ReadonlyArray<unknown>
}

/** Prepares a statement for all callers that come at the same time; each gets its own rows (see `makeBatcher`). */
export const batchStatement = <Ask>(sql: SqlClient.SqlClient, { text, toValues }: BatchedStatement<Ask>) =>
  makeBatcher<Ask, ReadonlyArray<BatchRow>, SqlError>({
    answerAll: (asks) =>
      Effect.map(sql.unsafe<BatchRow>(text, toColumns(asks.map(toValues))), (rows) => {
        const byAsk = asks.map((): Array<BatchRow> => [])
        for (const row of rows) byAsk[row.nth - 1]?.push(row)
        return byAsk
      }),
    canBeFaultOfOne
  })

interface BatchRow {
  readonly nth: number
  readonly [column: string]: unknown
}

const toColumns = (values: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<ReadonlyArray<unknown>> =>
  (values[0] ?? []).map((_, column) => values.map((ofAsk) => ofAsk[column]))

/**
 * The server refused the statement, so that nothing of it was done: for a value, a constraint, a lock or a deadlock, not
 * for an outage (SQLSTATE classes 08, 25, 53, 57, 58, XX).
 */
const canBeFaultOfOne = (error: SqlError): boolean =>
  Option.exists(readSqlState(error), (state) => !/^(08|25|53|57|58|XX)/.test(state))
