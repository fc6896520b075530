import { SqlError } from "@effect/sql/SqlError"
import { Cause, Effect, Exit, Option, Schema, Struct } from "effect"
import type { Pool } from "pg"
import { readSqlState } from "../StoreUnavailable.ts"

/** A statement that does for many callers what they would otherwise do with a statement each. */
interface BatchedStatement<Ask, Row, Encoded> {
  /**
   * Takes one array a parameter, with an element for each ask (`unnest(…) with ordinality as asks (…, nth)`). Its rows
   * tell by `nth`, an int from 1, whose they are. The parameters stand in sub-selects, because PostgreSQL would plan the
   * statement at each call for the number of their elements.
   */
  readonly text: string
  /** The value of each parameter for an ask. */
  readonly toValues: (ask: Ask) => ReadonlyArray<unknown>
  /** What a row is beside `nth`; one that does not fit is a defect. */
  readonly row: Schema.Schema<Row, Encoded>
}

/**
 * Prepares a statement for all callers that come at the same time; each gets its own rows (see `makeBatcher`). It goes to
 * the pool directly: a span would belong to several requests, and a fiber would cost more than the rest.
 */
export const batchStatement = <Ask, Row, Encoded>(
  pool: Pool,
  { row, text, toValues }: BatchedStatement<Ask, Row, Encoded>
) => {
  const decode = Schema.decodeUnknownSync(row)
  return makeBatcher<Ask, ReadonlyArray<Row>, SqlError>({
    answerAll: (asks, onAnswered) =>
      pool.query<BatchRow>(text, toColumns(asks.map(toValues)), (cause: Error | undefined, result) =>
        onAnswered(
          cause === undefined
            ? decodeRowsByAsk(asks.length, result.rows, decode)
            : Exit.fail(new SqlError({ cause, message: "Failed to execute statement" }))
        )
      ),
    canBeFaultOfOne
  })
}

interface BatchRow {
  readonly nth: number
  readonly [column: string]: unknown
}

/**
 * The parameters of a batched statement by name: `columns` has their types, `toRow` their values for an ask. `source` is the
 * table `asks` of these columns and `nth`.
 */
export const nameParameters = <Ask, Column extends string>(
  columns: { readonly [_ in Column]: string },
  toRow: (ask: Ask) => { readonly [_ in Column]: unknown }
): { readonly source: string } & { readonly toValues: (ask: Ask) => ReadonlyArray<unknown> } => {
  const names = Struct.keys(columns)
  const parameters = names.map((name, index) => `(select $${index + 1}::${columns[name]}[])`)
  return {
    source: `unnest(${parameters.join(", ")}) with ordinality as asks (${names.join(", ")}, nth)`,
    toValues: (ask) => {
      const row = toRow(ask)
      return names.map((name) => row[name])
    }
  }
}

const toColumns = (values: ReadonlyArray<ReadonlyArray<unknown>>): Array<ReadonlyArray<unknown>> =>
  (values[0] ?? []).map((_, column) => values.map((ofAsk) => ofAsk[column]))

const decodeRowsByAsk = <Row>(
  asks: number,
  rows: ReadonlyArray<BatchRow>,
  decode: (row: unknown) => Row
): Exit.Exit<ReadonlyArray<ReadonlyArray<Row>>> => {
  const byAsk = Array.from({ length: asks }, (): Array<Row> => [])
  try {
    for (const row of rows) byAsk[row.nth - 1]?.push(decode(row))
  } catch (misfit) {
    return Exit.die(misfit)
  }
  return Exit.succeed(byAsk)
}

/**
 * The server refused the statement, so that nothing of it was done: for a value, a constraint, a lock or a deadlock, not
 * for an outage (SQLSTATE classes 08, 25, 53, 57, 58, XX).
 */
const canBeFaultOfOne = (error: SqlError): boolean =>
  Option.exists(readSqlState(error), (state) => !/^(08|25|53|57|58|XX)/.test(state))

interface BatchOptions<Ask, Answer, E> {
  /** Answers several asks at once, in their order; all fail together. Calls `onAnswered` once. */
  readonly answerAll: (
    asks: ReadonlyArray<Ask>,
    onAnswered: (answers: Exit.Exit<ReadonlyArray<Answer>, E>) => void
  ) => void
  /** Whether a failure had no effect and may be the fault of a single ask, so that the others deserve another try. */
  readonly canBeFaultOfOne: (error: E) => boolean
}

/**
 * Answers together what is asked at the same time. An ask waits for nobody while fewer than three batches are under way;
 * after that, asks gather until one of these ends. When a batch fails by the fault of one ask, each is answered by itself.
 */
export const makeBatcher = <Ask, Answer, E>(
  options: BatchOptions<Ask, Answer, E>
): ((ask: Ask) => Effect.Effect<Answer, E>) => {
  const batches = new Batches(options)
  return (ask) => Effect.async((resume) => batches.add({ ask, resume }))
}

interface Asker<Ask, Answer, E> {
  readonly ask: Ask
  readonly resume: (answer: Exit.Exit<Answer, E>) => void
}

class Batches<Ask, Answer, E> {
  readonly #options: BatchOptions<Ask, Answer, E>
  #waiting: Array<Asker<Ask, Answer, E>> = []
  #underWay = 0
  #isStarting = false

  constructor(options: BatchOptions<Ask, Answer, E>) {
    this.#options = options
  }

  add(asker: Asker<Ask, Answer, E>): void {
    this.#waiting.push(asker)
    if (this.#isStarting || this.#underWay === maxUnderWay) return
    this.#isStarting = true
    // Whatever else is asked until the end of this turn of the event loop comes along: a microtask would run before the
    // requests that the sockets have for the same turn.
    setImmediate(() => {
      this.#isStarting = false
      this.#start()
    })
  }

  #start(): void {
    while (this.#underWay < maxUnderWay && this.#waiting.length > 0) {
      this.#underWay += 1
      this.#answer(this.#waiting.splice(0, maxAsks), () => {
        this.#underWay -= 1
        this.#start()
      })
    }
  }

  #answer(askers: ReadonlyArray<Asker<Ask, Answer, E>>, onEnd: () => void): void {
    this.#options.answerAll(
      askers.map(({ ask }) => ask),
      (answers) => {
        if (askers.length > 1 && this.#canBeFaultOfOne(answers)) return this.#answerOneByOne(askers, onEnd)
        onEnd()
        askers.forEach(({ resume }, nth) => resume(Exit.map(answers, (all) => all[nth] as Answer)))
      }
    )
  }

  #canBeFaultOfOne(answers: Exit.Exit<ReadonlyArray<Answer>, E>): boolean {
    return (
      Exit.isFailure(answers) &&
      Option.exists(Cause.failureOption(answers.cause), (error) => this.#options.canBeFaultOfOne(error))
    )
  }

  #answerOneByOne([first, ...others]: ReadonlyArray<Asker<Ask, Answer, E>>, onEnd: () => void): void {
    if (first === undefined) return onEnd()
    this.#answer([first], () => this.#answerOneByOne(others, onEnd))
  }
}

/** A fourth statement at the same time makes the batches smaller and nothing faster. */
const maxUnderWay = 3

/** Bounds the memory of a statement and of its answer. */
const maxAsks = 64
