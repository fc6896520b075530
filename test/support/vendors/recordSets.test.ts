import { expect, test } from "bun:test"
import { changeSets, type VendorSetChange, type SetRefusal } from "./recordSets.ts"
import type { EnteredRecord } from "./VendorZones.ts"

const record = (name: string, type: string, data: string, ttl = 60): EnteredRecord<string> => ({
  name,
  type,
  ttl,
  data
})
const keyOf = ({ name, type }: EnteredRecord<string>) => `${name} ${type}`

const change = (action: VendorSetChange<string>["action"], ...set: ReadonlyArray<EnteredRecord<string>>) => ({
  action,
  key: set.map(keyOf)[0] ?? "",
  set
})

const before = [record("www", "A", "1"), record("www", "A", "2"), record("old", "CNAME", "web")].map((each, index) => ({
  ...each,
  id: String(index)
}))

/** The records after a batch as lines, or why it is refused. */
const make = (...changes: ReadonlyArray<VendorSetChange<string>>): SetRefusal | ReadonlyArray<string> => {
  let refused: SetRefusal | undefined
  const after = changeSets(before, changes, keyOf, (reason) => {
    refused = reason
    return { status: 400 }
  })
  return (
    refused ?? ("status" in after ? [] : after.map(({ data, name, ttl, type }) => `${name} ${ttl} ${type} ${data}`))
  )
}

test("a batch makes its changes in their order", () =>
  expect(
    make(
      change("DELETE", record("www", "A", "2"), record("www", "A", "1")),
      change("CREATE", record("www", "CNAME", "web")),
      change("UPSERT", record("old", "CNAME", "next", 300))
    )
  ).toEqual(["old 300 CNAME next", "www 60 CNAME web"]))

test("a batch is refused as a whole by the first change that does not fit", () => {
  const created = change("CREATE", record("new", "A", "1"))
  const refusals: ReadonlyArray<readonly [SetRefusal, VendorSetChange<string>]> = [
    ["absent", change("DELETE", record("gone", "A", "1"))],
    ["different", change("DELETE", record("www", "A", "1"))],
    ["different", change("DELETE", record("old", "CNAME", "web", 300))],
    ["present", change("CREATE", record("www", "A", "1"))],
    ["present", created],
    ["duplicate", change("CREATE", record("two", "A", "1"), record("two", "A", "1"))],
    ["alias", change("CREATE", record("old", "A", "1"))],
    ["alias", change("CREATE", record("www", "CNAME", "web"))]
  ]
  expect(refusals.map(([, refused]) => make(created, refused))).toEqual(refusals.map(([reason]) => reason))
})
