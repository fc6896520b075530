import { Clock, Duration, Effect } from "effect"
import { makePacer } from "../limits/Pacer.ts"
import { ProviderError } from "./ProviderError.ts"
import { jsonZoneLimits, makeZoneTooLarge, maxZoneRecords, readAdmitted } from "./zoneLimits.ts"

/** One page of a list, and where the next one begins. */
export interface ListPage<Item, Cursor> {
  readonly items: ReadonlyArray<Item>
  /** Absent on the last page. */
  readonly next?: Cursor | undefined
  /** How many items the whole list has, where the provider tells it. */
  readonly total?: number | undefined
}

interface PageReader<Item, Cursor> {
  /** Reads the page that begins at a cursor, the first one without. `admits` limits its bytes, for `callProvider`. */
  readonly readPage: (
    cursor: Cursor | undefined,
    admits: (bytes: number) => boolean
  ) => Effect.Effect<ListPage<Item, Cursor>, ProviderError>
  /** For all pages; pauses, where the number of pages is known, and waits for large zones come on top. */
  readonly timeout: Duration.DurationInput
  /** How long after a call the next one may begin, so that the reader stays within the provider's rate limit. */
  readonly pause?: Duration.DurationInput
  /** Names an item of numbered pages: if one is removed, later ones move up, one of them to a page already read. */
  readonly identify?: ((item: Item) => string | number) | undefined
}

/**
 * Reads all pages of a list, never a part. It reads again once if the list has changed meanwhile: in its total or number
 * of items, by an item twice, or in a page that is read again. Without a total, all but the last are read again.
 */
export const readPages = <Item, Cursor>(
  reader: PageReader<Item, Cursor>
): Effect.Effect<ReadonlyArray<Item>, ProviderError> =>
  Effect.suspend(() => {
    const startPace = makePace(reader.pause ?? Duration.zero)
    return readAdmitted(
      (admits) =>
        failAfterExtended(reader.timeout, (extend) =>
          Effect.retry(readOnce({ ...reader, pace: startPace(extend) }, admits), { times: 1, while: hasChanged })
        ),
      jsonZoneLimits
    )
  })

/** Fails a list that takes longer than a time, which the reader extends. */
const failAfterExtended = <A>(
  timeout: Duration.DurationInput,
  read: (extend: (time: Duration.Duration) => void) => Effect.Effect<A, ProviderError>
): Effect.Effect<A, ProviderError> =>
  Effect.suspend(() => {
    let allowed = Duration.decode(timeout)
    const expire = (waited: Duration.Duration): Effect.Effect<never, ProviderError> =>
      Effect.suspend(() => {
        const until = allowed
        return Duration.lessThan(waited, until)
          ? Effect.delay(expire(until), Duration.subtract(until, waited))
          : new ProviderError({ kind: "timed_out", detail: `no complete list within ${Duration.format(until)}` })
      })
    return Effect.raceFirst(
      read((time) => (allowed = Duration.sum(allowed, time))),
      // Also where the caller must not be interrupted, nobody waits for the time to end.
      Effect.interruptible(expire(Duration.zero))
    )
  })

/** Begins the calls of a list at the pace of its provider; with `isCounted`, the pauses extend the time for the list. */
type Pace = <A, E>(call: Effect.Effect<A, E>, isCounted: boolean) => Effect.Effect<A, E>

const makePace = (pause: Duration.DurationInput): ((extend: (time: Duration.Duration) => void) => Pace) => {
  const length = Duration.decode(pause)
  const pacer = makePacer({ perSecond: 1_000 / Duration.toMillis(length), burst: 1 })
  return (extend) => (call, isCounted) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (isCounted) extend(length)
      const delayMillis = pacer.reserve(now)
      return delayMillis > 0 ? Effect.delay(call, delayMillis) : call
    })
}

interface PacedReader<Item, Cursor> extends PageReader<Item, Cursor> {
  readonly pace: Pace
}

const readOnce = <Item, Cursor>(
  reader: PacedReader<Item, Cursor>,
  admits: (bytes: number) => boolean
): Effect.Effect<ReadonlyArray<Item>, ProviderError> =>
  Effect.gen(function* () {
    const { identify, pace, readPage } = reader
    const items: Array<Item> = []
    const pages: Array<ReadPage<Cursor>> = []
    let received = 0
    let total: number | undefined
    let cursor: Cursor | undefined
    do {
      let pageBytes = 0
      const call = readPage(cursor, (bytes) => {
        pageBytes = bytes
        return admits(received + bytes)
      })
      const page: ListPage<Item, Cursor> = yield* pace(call, total !== undefined)
      received += pageBytes
      for (const item of page.items) items.push(item)
      if (identify !== undefined) pages.push({ cursor, identities: page.items.map(identify) })
      if (total !== undefined && page.total !== total) return yield* changedMeanwhile
      if (items.length > maxZoneRecords) return yield* makeZoneTooLarge(`more than ${maxZoneRecords} records`)
      total = page.total
      cursor = page.next
    } while (cursor !== undefined)
    if (total !== undefined && total !== items.length) return yield* changedMeanwhile
    const earlier = pages.slice(0, -1)
    yield* requireUnchanged(pages, total === undefined ? earlier : selectSpread(earlier), { ...reader, admits })
    return items
  })

interface ReadPage<Cursor> {
  readonly cursor: Cursor | undefined
  readonly identities: ReadonlyArray<string | number>
}

/** Fails if an item was in two pages, or if one of the `compared` pages now has other items. */
const requireUnchanged = <Item, Cursor>(
  pages: ReadonlyArray<ReadPage<Cursor>>,
  compared: ReadonlyArray<ReadPage<Cursor>>,
  {
    admits,
    identify = String,
    pace,
    readPage
  }: PacedReader<Item, Cursor> & { readonly admits: (bytes: number) => boolean }
): Effect.Effect<void, ProviderError> =>
  Effect.gen(function* () {
    const identities = pages.flatMap((page) => page.identities)
    if (new Set(identities).size < identities.length) return yield* changedMeanwhile
    for (const { cursor, identities } of compared) {
      const { items } = yield* pace(readPage(cursor, admits), true)
      if (items.length !== identities.length || items.some((item, index) => identify(item) !== identities[index]))
        return yield* changedMeanwhile
    }
  })

/**
 * Selects up to three pages at equal distances: an item removed moves all pages between, and mostly one of the selected
 * ones is among them; of up to three pages, always.
 */
const selectSpread = <Page>(pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.length <= 3
    ? pages
    : [1, 2, 3].flatMap((quarter) => pages.slice(Math.floor((pages.length * quarter) / 4)).slice(0, 1))

const changedMeanwhile = new ProviderError({ kind: "conflict", detail: "the list changed while its pages were read" })

const hasChanged = ({ kind }: ProviderError): boolean => kind === "conflict"
