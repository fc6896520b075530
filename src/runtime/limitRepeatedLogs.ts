import {
  Array,
  Cause,
  DateTime,
  Effect,
  FiberId,
  FiberRefs,
  HashMap,
  List,
  Logger,
  type LogLevel,
  Option,
  Predicate,
  type Scope
} from "effect"

const maxPerMinute = 10

/** How many kinds of entries are counted at once; an entry of another kind takes the place of the oldest. */
const maxKinds = 1_000

/** A kind of entries and how often it came in the current minute. */
interface EntryCount {
  readonly level: LogLevel.LogLevel
  readonly text: string
  count: number
}

/**
 * Limits repetitions, so that a fault of every request does not fill the disk. Entries of one level, text and errors are of
 * one kind: ten a minute are written, and at its end one says how many more there were.
 */
export const limitRepeatedLogs = <Output>(
  logger: Logger.Logger<unknown, Output>
): Effect.Effect<Logger.Logger<unknown, void>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const counts = new Map<string, EntryCount>()

    const report = ({ count, level, text }: EntryCount, date: Date) => {
      const more = count - maxPerMinute
      if (more <= 0) return
      logger.log({
        fiberId: FiberId.none,
        logLevel: level,
        message: [`${more} more of: ${text}`],
        cause: Cause.empty,
        context: FiberRefs.empty(),
        spans: List.empty(),
        annotations: HashMap.make(["more", more]),
        date
      })
    }

    const countOf = (kind: string, options: Logger.Logger.Options<unknown>): EntryCount => {
      const known = counts.get(kind)
      if (known !== undefined) return known
      const [oldest] = counts.size >= maxKinds ? counts : []
      if (oldest !== undefined) {
        counts.delete(oldest[0])
        report(oldest[1], options.date)
      }
      const added = { level: options.logLevel, text: textOf(options), count: 0 }
      counts.set(kind, added)
      return added
    }

    const reportAll = Effect.map(DateTime.now, (now) => {
      const ended = [...counts.values()]
      counts.clear()
      ended.forEach((entry) => report(entry, DateTime.toDateUtc(now)))
    })
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sleep("1 minute"), reportAll)))
    yield* Effect.addFinalizer(() => reportAll)

    return Logger.make((options) => {
      const entry = countOf(kindOf(options), options)
      entry.count += 1
      if (entry.count <= maxPerMinute) logger.log(options)
    })
  })

const kindOf = (options: Logger.Logger.Options<unknown>): string => {
  const text = textOf(options)
  const errors = [...argumentsOf(options), ...Cause.failures(options.cause), ...Cause.defects(options.cause)]
  // A long text is kept as its hash.
  const key = text.length > 200 ? `${text.slice(0, 200)} ${Bun.hash(text)}` : text
  return [options.logLevel.label, key, ...errors.slice(0, 3).map(errorKindOf)].join("\n")
}

/** The text of an entry without the error that it was logged with, so that repeated entries are equal. */
const textOf = ({ message }: Logger.Logger.Options<unknown>): string => {
  const [first] = Array.ensure(message)
  return Predicate.isString(first) ? first : errorKindOf(first)
}

const argumentsOf = ({ message }: Logger.Logger.Options<unknown>): ReadonlyArray<unknown> =>
  Array.ensure(message).filter((argument) => !Predicate.isString(argument))

/** The tag or name of an error and its code: what never holds a value. */
const errorKindOf = (error: unknown): string =>
  Predicate.isRecord(error) || error instanceof Error
    ? Array.filterMap(["_tag", "name", "code"], (field) =>
        Option.liftPredicate(Reflect.get(error, field), Predicate.isString)
      ).join(" ")
    : typeof error
