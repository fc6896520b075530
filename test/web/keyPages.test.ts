import { expect, test } from "bun:test"
import { catalogAdapters } from "../../src/providers/catalog/catalogAdapters.ts"
import { keyPages } from "../../src/web/steps/credentialFields.ts"

test("whoever enters a key that opens the whole account is told so", () => {
  const opening = Object.entries(catalogAdapters).filter(([, adapter]) =>
    adapter.limitations?.some((text) => / which opens the whole account/.test(text))
  )
  const told = Object.entries(keyPages).filter(([, page]) => page.opensAccount === true)
  expect(opening.map(([id]) => id).toSorted()).toEqual(told.map(([id]) => id).toSorted())
  expect(told.length).toBeGreaterThan(3)
})
