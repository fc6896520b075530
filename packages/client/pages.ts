/** The first page as a promise, and the entries of all pages as an iterable: `for await (const entry of client.list…())`. */
export type Pages<Page, Entry> = Promise<Page> & AsyncIterable<Entry>

interface PageOfList {
  readonly nextCursor?: string
}

/** Requests the first page now, and the others as their entries are iterated. */
export const requestPages = <Page extends PageOfList, Entry>(
  request: (cursor: string | undefined) => Promise<Page>,
  entriesOf: (page: Page) => ReadonlyArray<Entry>,
  firstCursor?: string
): Pages<Page, Entry> => {
  const first = request(firstCursor)
  const iterate = async function* () {
    let page = await first
    for (;;) {
      yield* entriesOf(page)
      if (page.nextCursor === undefined) return
      page = await request(page.nextCursor)
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: iterate })
}
