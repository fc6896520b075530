import { SqlError } from "@effect/sql/SqlError"
import { Cause, Effect, Either, Exit, Option, Predicate, type Schema, Struct } from "effect"
import type { Pool } from "pg"
import { compileDecoder } from "../../runtime/compileSchema.ts"
import { readSqlState } from "../StoreUnavailable.ts"

/** A statement that does for many callers what they would otherwise do with a statement each. */
interface BatchedStatement<Request, Row, Encoded> {
  /**
   * Takes one array a parameter, with an element for each request (`unnest(…) with ordinality as requests (…,
   * nth)`). Its rows have the number of their request in `nth`, an int from 1. The parameters stand in sub-selects,
   * because PostgreSQL would plan the statement at each call for the number of their elements.
   */
  readonly text: string
  /** The value of each parameter for a request. */
  readonly toValues: (request: Request) => ReadonlyArray<ParameterValue>
  /** The bytes of a request, about; requests whose bytes nobody bounds are small. */
  readonly measure?: (request: Request) => number
  /** The schema of a row without `nth`; a row that does not match is a defect. */
  readonly row: Schema.Schema<Row, Encoded>
}

/**
 * Prepares a statement for all callers that come at the same time; each gets its own rows (see `makeBatcher`). It
 * goes to the pool directly: a span would belong to several requests, and a fiber would cost more than the rest.
 */
export const batchStatement = <Request, Row, Encoded>(
  pool: Pool,
  { measure, row, text, toValues }: BatchedStatement<Request, Row, Encoded>
) => {
  const decode = compileDecoder(row)
  return makeBatcher<Request, ReadonlyArray<Row>, SqlError>({
    answerAll: (requests, onAnswered) =>
      pool.query<BatchRow>(text, toColumns(requests.map(toValues)), (cause: Error | undefined, result) =>
        onAnswered(
          cause === undefined
            ? decodeRowsByRequest(requests.length, result.rows, decode)
            : Exit.fail(new SqlError({ cause, message: "Failed to execute statement" }))
        )
      ),
    canBeFaultOfOne,
    ...(measure === undefined ? {} : { measure })
  })
}

/** The value of a parameter for one request. */
export type ParameterValue = string | number | boolean | Uint8Array | null | undefined

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
  toRow: (request: Request) => { readonly [_ in Column]: ParameterValue }
): { readonly source: string } & { readonly toValues: (request: Request) => ReadonlyArray<ParameterValue> } => {
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

const toColumns = (values: ReadonlyArray<ReadonlyArray<ParameterValue>>): Array<string> =>
  (values[0] ?? []).map((_, column) => encodeArray(values.map((ofRequest) => ofRequest[column])))

/**
 * Encodes values as a literal of a one-dimensional array (PostgreSQL manual, 8.15.2). `pg` does the same, in three times the
 * time for documents, whose every quotation mark is escaped.
 */
export const encodeArray = (values: ReadonlyArray<ParameterValue>): string => `{${values.map(encodeElement).join()}}`

const encodeElement = (value: ParameterValue): string => {
  if (Predicate.isString(value)) return quote(value)
  if (Predicate.isNullable(value)) return "NULL"
  return Predicate.isUint8Array(value) ? `"\\\\x${Buffer.from(value).toString("hex")}"` : String(value)
}

/** JSON escapes quotation marks and backslashes as an array does, but other characters in its own way. */
const quote = (text: string): string =>
  hasJsonEscapes.test(text) ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : JSON.stringify(text)

/** Control characters and halves of surrogate pairs. */
const hasJsonEscapes = /[\p{Cc}\p{Cs}]/u

const decodeRowsByRequest = <Row>(
  requests: number,
  rows: ReadonlyArray<BatchRow>,
  decode: (row: unknown) => Either.Either<Row, unknown>
): Exit.Exit<ReadonlyArray<ReadonlyArray<Row>>> => {
  const byRequest = Array.from({ length: requests }, (): Array<Row> => [])
  try {
    for (const row of rows) byRequest[row.nth - 1]?.push(Either.getOrThrowWith(decode(row), (error) => error))
  } catch (cause) {
    return Exit.die(cause)
  }
  return Exit.succeed(byRequest)
}

/**
 * The server refused the statement, so that nothing of it was done: for a value, a constraint, a lock or a deadlock,
 * not for an outage (SQLSTATE classes 08, 25, 53, 57, 58, XX).
 */
const canBeFaultOfOne = (error: SqlError): boolean =>
  Option.exists(readSqlState(error), (state) => !/^(08|25|53|57|58|XX)/.test(state))

interface BatchOptions<Request, Answer, E> {
  /** Answers several requests at once, in their order; all fail together. Calls `onAnswered` once. */
  readonly answerAll: (
    requests: ReadonlyArray<Request>,
    onAnswered: (answers: Exit.Exit<ReadonlyArray<Answer>, E>) => void
  ) => void
  /**
   * Whether a failure had no effect and may be the fault of a single request, so that the others deserve another try.
   */
  readonly canBeFaultOfOne: (error: E) => boolean
  /** The bytes of a request, about. */
  readonly measure?: (request: Request) => number
}

/**
 * Answers together the requests that come at the same time. A request waits for nobody while fewer than three batches
 * are under way; after that, requests gather until one of these ends. When a batch fails by the fault of one request,
 * each is answered by itself.
 */
export const makeBatcher = <Request, Answer, E>(
  options: BatchOptions<Request, Answer, E>
): ((request: Request) => Effect.Effect<Answer, E>) => {
  const batches = new Batches(options)
  return (request) => Effect.async((resume) => batches.add({ request, resume }))
}

interface PendingRequest<Request, Answer, E> {
  readonly request: Request
  readonly resume: (answer: Exit.Exit<Answer, E>) => void
}

class Batches<Request, Answer, E> {
  readonly #options: BatchOptions<Request, Answer, E>
  #waiting: Array<PendingRequest<Request, Answer, E>> = []
  #underWay = 0
  #isStarting = false

  constructor(options: BatchOptions<Request, Answer, E>) {
    this.#options = options
  }

  add(pending: PendingRequest<Request, Answer, E>): void {
    this.#waiting.push(pending)
    if (this.#isStarting || this.#underWay === maxUnderWay) return
    this.#isStarting = true
    // Requests until the end of this turn of the event loop join the batch: a microtask would run before those that the
    // sockets have for the same turn.
    setImmediate(() => {
      this.#isStarting = false
      this.#start()
    })
  }

  #start(): void {
    while (this.#underWay < maxUnderWay && this.#waiting.length > 0) {
      this.#underWay += 1
      this.#answer(this.#waiting.splice(0, this.#countNext()), () => {
        this.#underWay -= 1
        this.#start()
      })
    }
  }

  /** How many of the waiting requests the next statement has: at least one, and no more once they have their bytes. */
  #countNext(): number {
    const { measure } = this.#options
    if (measure === undefined) return maxRequests
    let bytes = 0
    let count = 0
    for (const { request } of this.#waiting) {
      bytes += measure(request)
      if (count === maxRequests || (count > 0 && bytes > maxBytes)) break
      count += 1
    }
    return count
  }

  #answer(pendingRequests: ReadonlyArray<PendingRequest<Request, Answer, E>>, onEnd: () => void): void {
    this.#options.answerAll(
      pendingRequests.map(({ request }) => request),
      (answers) => {
        if (pendingRequests.length > 1 && this.#canBeFaultOfOne(answers))
          return this.#answerOneByOne(pendingRequests, onEnd)
        onEnd()
        pendingRequests.forEach(({ resume }, nth) => resume(Exit.map(answers, (all) => all[nth] as Answer)))
      }
    )
  }

  #canBeFaultOfOne(answers: Exit.Exit<ReadonlyArray<Answer>, E>): boolean {
    return (
      Exit.isFailure(answers) &&
      Option.exists(Cause.failureOption(answers.cause), (error) => this.#options.canBeFaultOfOne(error))
    )
  }

  #answerOneByOne([first, ...others]: ReadonlyArray<PendingRequest<Request, Answer, E>>, onEnd: () => void): void {
    if (first === undefined) return onEnd()
    this.#answer([first], () => this.#answerOneByOne(others, onEnd))
  }
}

/** A fourth statement at the same time makes the batches smaller without a gain in speed. */
const maxUnderWay = 3

/** Bounds the memory of a statement and of its answer. */
const maxRequests = 64
const maxBytes = 1024 * 1024
