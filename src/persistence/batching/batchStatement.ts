import { SqlError } from "@effect/sql/SqlError"
import { Effect, Either, Exit, FiberRef, Option, type Schema, Struct } from "effect"
import type { Pool } from "pg"
import { compileDecoder } from "../../runtime/compileDecoder.ts"
import { readSqlState } from "../StoreUnavailable.ts"
import { sendStatement } from "../postgres/sendStatement.ts"
import { type ArrayElement, encodeArray } from "./encodeArray.ts"
import { makeBatcher } from "./makeBatcher.ts"

/**
 * Prepares a statement for all callers that come at the same time (see `makeBatcher`): it takes an array for each of its
 * parameters, with an element for each caller, and each caller gets the rows with its number. It goes to the pool directly:
 * a fiber would cost more than the rest. While a tracer is on, each caller has a span for its wait.
 */
export const batchStatement = <Request, Row, Encoded>(
  pool: Pool,
  { measure = () => 0, row, text, toValues }: BatchedStatement<Request, Row, Encoded>
): ((request: Request) => Effect.Effect<ReadonlyArray<Row>, SqlError>) => {
  const decode = compileDecoder(row)
  const answer = makeBatcher<Request, PreparedValues, ReadonlyArray<Row>, SqlError>({
    prepare: (request) => ({ values: toValues(request), bytes: measure(request) }),
    measure: ({ bytes }) => bytes,
    sendAll: (requests, onAnswered) =>
      sendStatement<BatchRow>(pool, text, toArrays(requests), {
        onFailed: (error) => onAnswered(Exit.fail(error)),
        onRows: (rows) => onAnswered(Exit.succeed(decodeRowsByRequest(requests.length, rows, decode)))
      }),
    partsAfter
  })
  const span = { kind: "client", attributes: { "db.query.text": text } } as const
  return (request) =>
    Effect.withFiberRuntime((caller) =>
      caller.getFiberRef(FiberRef.currentTracerEnabled)
        ? Effect.withSpan(answer(request), "sql.execute", span)
        : answer(request)
    )
}

/** A statement that does for many callers what they would otherwise do with a statement each. */
interface BatchedStatement<Request, Row, Encoded> {
  /**
   * Takes one array a parameter, with an element for each request (`unnest(…) with ordinality as requests (…,
   * nth)`). Its rows have the number of their request in `nth`, an int from 1. The parameters stand in sub-selects,
   * because PostgreSQL would plan the statement at each call for the number of their elements.
   */
  readonly text: string
  readonly toValues: (request: Request) => ReadonlyArray<ArrayElement>
  /** The bytes of a request, about; requests whose bytes nobody bounds are small. */
  readonly measure?: (request: Request) => number
  /** The schema of a row without `nth`; a row that does not match is a defect of its request. */
  readonly row: Schema.Schema<Row, Encoded>
}

interface PreparedValues {
  readonly values: ReadonlyArray<ArrayElement>
  readonly bytes: number
}

interface BatchRow {
  readonly nth: number
  readonly [column: string]: unknown
}

/**
 * The parameters of a batched statement by name: `columns` has their types, `toRow` their values for a request.
 * `source` is the table `requests` of these columns and `nth`.
 */
export const nameParameters = <Request, Column extends string>(
  columns: { readonly [_ in Column]: string },
  toRow: (request: Request) => { readonly [_ in Column]: ArrayElement }
): { readonly source: string } & { readonly toValues: (request: Request) => ReadonlyArray<ArrayElement> } => {
  const names = Struct.keys(columns)
  const parameters = names.map((name, index) => `(select $${index + 1}::${columns[name]}[])`)
  return {
    source: `unnest(${parameters.join(", ")}) with ordinality as requests (${names.join(", ")}, nth)`,
    toValues: (request) => {
      const row = toRow(request)
      return names.map((name) => row[name])
    }
  }
}

const toArrays = (requests: ReadonlyArray<PreparedValues>): Array<string> =>
  (requests[0]?.values ?? []).map((_, parameter) => encodeArray(requests.map(({ values }) => values[parameter])))

const decodeRowsByRequest = <Row>(
  requests: number,
  rows: ReadonlyArray<BatchRow>,
  decode: RowDecoder<Row>
): ReadonlyArray<Exit.Exit<ReadonlyArray<Row>>> => {
  const rowsOfEach = Array.from({ length: requests }, (): Array<BatchRow> => [])
  for (const row of rows) rowsOfEach[row.nth - 1]?.push(row)
  return rowsOfEach.map((ofRequest) => decodeAll(ofRequest, decode))
}

type RowDecoder<Row> = (row: unknown) => Either.Either<Row, unknown>

const decodeAll = <Row>(rows: ReadonlyArray<BatchRow>, decode: RowDecoder<Row>): Exit.Exit<ReadonlyArray<Row>> => {
  try {
    return Exit.succeed(rows.map((row) => Either.getOrThrowWith(decode(row), (error) => error)))
  } catch (cause) {
    return Exit.die(cause)
  }
}

/**
 * What the server refused was not done at all: for a value, a constraint or a deadlock, or for a lock, for which it has waited
 * long. An outage (SQLSTATE classes 08, 25, 53, 57, 58, XX) may have come after the commit.
 */
const partsAfter = (error: SqlError): "halves" | "each" | undefined => {
  const state = Option.getOrElse(readSqlState(error), () => "XX000")
  if (/^(08|25|53|57|58|XX)/.test(state)) return undefined
  return state === lockNotAvailable ? "each" : "halves"
}

const lockNotAvailable = "55P03"
