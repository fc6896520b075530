import { Duration, Effect } from "effect"
import { readAdmitted } from "./LargeZones.ts"
import { failAfter, ProviderError } from "./ProviderError.ts"
import { jsonZoneLimits, makeZoneTooLarge, maxZoneRecords } from "./zoneLimits.ts"

/** One page of a list, and where the next one begins. */
export interface ListPage<Item, Cursor> {
  readonly items: ReadonlyArray<Item>
  /** Absent on the last page. */
  readonly next?: Cursor | undefined
  /** How many items the whole list has, where the provider tells it. */
  readonly total?: number | undefined
}

/** How the pages of a list are read. */
interface PageReader<Item, Cursor> {
  /** Reads the page that begins at a cursor, the first one without. `admits` limits its bytes, for `callProvider`. */
  readonly readPage: (
    cursor: Cursor | undefined,
    admits: (bytes: number) => boolean
  ) => Effect.Effect<ListPage<Item, Cursor>, ProviderError>
  /** For all pages together. */
  readonly timeout: Duration.DurationInput
  /** How long to wait between two pages, so that the reader stays within the provider's rate limit. */
  readonly pause?: Duration.DurationInput
  /**
   * Names an item. For lists whose pages have numbers: where an item is removed, all that follow move up, and one of them
   * to a page that was read before.
   */
  readonly identify?: ((item: Item) => string | number) | undefined
}

/**
 * Reads all pages of a list, or fails; never a part of it. A list that has changed meanwhile, so that items may be
 * missing, is read again once: its total changes, another number of items arrives, an item arrives twice, or a page that
 * is read a second time in the end has other items; without a total these are all pages but the last.
 */
export const readPages = <Item, Cursor>(
  reader: PageReader<Item, Cursor>
): Effect.Effect<ReadonlyArray<Item>, ProviderError> =>
  readAdmitted(
    (admits) => Effect.retry(readOnce(reader, admits), { times: 1, while: hasChanged }),
    jsonZoneLimits
  ).pipe(failAfter(reader.timeout, `no complete list within ${Duration.format(reader.timeout)}`))

const readOnce = <Item, Cursor>(
  reader: PageReader<Item, Cursor>,
  admits: (bytes: number) => boolean
): Effect.Effect<ReadonlyArray<Item>, ProviderError> =>
  Effect.gen(function* () {
    const { identify, pause = Duration.zero, readPage } = reader
    const items: Array<Item> = []
    const pages: Array<ReadPage<Cursor>> = []
    let received = 0
    let total: number | undefined
    let cursor: Cursor | undefined
    do {
      if (cursor !== undefined) yield* Effect.sleep(pause)
      let pageBytes = 0
      const page: ListPage<Item, Cursor> = yield* readPage(cursor, (bytes) => {
        pageBytes = bytes
        return admits(received + bytes)
      })
      received += pageBytes
      items.push(...page.items)
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
    pause = Duration.zero,
    readPage
  }: PageReader<Item, Cursor> & { readonly admits: (bytes: number) => boolean }
): Effect.Effect<void, ProviderError> =>
  Effect.gen(function* () {
    const identities = pages.flatMap((page) => page.identities)
    if (new Set(identities).size < identities.length) return yield* changedMeanwhile
    for (const { cursor, identities } of compared) {
      yield* Effect.sleep(pause)
      const { items } = yield* readPage(cursor, admits)
      if (items.length !== identities.length || items.some((item, index) => identify(item) !== identities[index]))
        return yield* changedMeanwhile
    }
  })

/**
 * Selects up to three pages at equal distances. An item that is removed from a page and makes a later one begin too late
 * has moved all pages from the one to the other, so that one of these is mostly among them; of up to three it always is.
 */
const selectSpread = <Page>(pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.length <= 3
    ? pages
    : [1, 2, 3].flatMap((quarter) => pages.slice(Math.floor((pages.length * quarter) / 4)).slice(0, 1))

const changedMeanwhile = new ProviderError({ kind: "conflict", detail: "the list changed while its pages were read" })

const hasChanged = ({ kind }: ProviderError): boolean => kind === "conflict"
