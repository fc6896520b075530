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
export interface PageReader<Item, Cursor> {
  /** Reads the page that begins at a cursor, the first one without. `admits` limits its bytes, for `callProvider`. */
  readonly readPage: (
    cursor: Cursor | undefined,
    admits: (bytes: number) => boolean
  ) => Effect.Effect<ListPage<Item, Cursor>, ProviderError>
  /** For all pages together. */
  readonly timeout: Duration.DurationInput
  /** How long to wait between two pages, so that the reader stays within the provider's rate limit. */
  readonly pause?: Duration.DurationInput
}

/**
 * Reads all pages of a list, or fails; never a part of it. A list whose total changes between two pages, or of which
 * another number of items arrives, has changed meanwhile, so that items may be missing: it is read again once.
 */
export const readPages = <Item, Cursor>(
  reader: PageReader<Item, Cursor>
): Effect.Effect<ReadonlyArray<Item>, ProviderError> =>
  readAdmitted(
    (admits) => Effect.retry(readOnce(reader, admits), { times: 1, while: hasChanged }),
    jsonZoneLimits
  ).pipe(failAfter(reader.timeout, `no complete list within ${Duration.format(reader.timeout)}`))

const readOnce = <Item, Cursor>(
  { pause = Duration.zero, readPage }: PageReader<Item, Cursor>,
  admits: (bytes: number) => boolean
): Effect.Effect<ReadonlyArray<Item>, ProviderError> =>
  Effect.gen(function* () {
    const items: Array<Item> = []
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
      if (total !== undefined && page.total !== total) return yield* changedMeanwhile
      if (items.length > maxZoneRecords) return yield* makeZoneTooLarge(`more than ${maxZoneRecords} records`)
      total = page.total
      cursor = page.next
    } while (cursor !== undefined)
    return total === undefined || total === items.length ? items : yield* changedMeanwhile
  })

const changedMeanwhile = new ProviderError({ kind: "conflict", detail: "the list changed while its pages were read" })

const hasChanged = ({ kind }: ProviderError): boolean => kind === "conflict"
