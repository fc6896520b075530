import { expect, test } from "bun:test"
import type { RecordTypeName } from "../../../src/dns/wire/recordTypes.ts"
import { buildQuestionSets } from "../../../src/dns/zone/QuestionSet.ts"
import { DomainName, HostName } from "../../../src/domain/DomainName.ts"
import { queryableTypes } from "../../../src/domain/queryableTypes.ts"

const zone = DomainName.make("example.com")

/** What is asked for these types at a host. */
const namesFor = (host: string, types: ReadonlyArray<RecordTypeName>) =>
  buildQuestionSets({ domain: zone, zone, hosts: [{ host: HostName.make(host), types }], label: "strange" })

const strangers = (types: ReadonlyArray<RecordTypeName>) =>
  [
    ["*.x.y.example.com", "strange.x.y.example.com", "*.y.example.com"],
    ["*.y.example.com", "strange.y.example.com", "*.example.com"],
    ["*.example.com", "strange.example.com", undefined]
  ].map(([owner, name, wildcard]) => ({ owner, name, types, wildcard }))

const cuts = [
  { owner: "x.y.example.com", name: "x.y.example.com", types: ["NS"], wildcard: "*.y.example.com" },
  { owner: "y.example.com", name: "y.example.com", types: ["NS"], wildcard: "*.example.com" }
]

test("asked are a host, the cuts on the way to it, and the wildcards above for all that it could take from them", () => {
  const owner = "w.x.y.example.com"
  expect<unknown>(namesFor("w.x.y", ["A", "SOA"])).toEqual([
    { owner, name: owner, types: ["A", "SOA"], wildcard: "*.x.y.example.com" },
    ...cuts,
    ...strangers([...queryableTypes, "SOA"])
  ])
})

test("a wildcard is asked for once, whether it is wanted or stands above", () => {
  const [wanted, ...above] = strangers(queryableTypes)
  expect<unknown>(namesFor("*.x.y", ["A"])).toEqual([wanted, ...cuts, ...above])
})

test("the types of a host are looked through no oftener the deeper it lies", () => {
  expect(looksAtTypes(100) / looksAtTypes(25)).toBeLessThan(2)
})

/** How often the types that are asked for at a host of so many labels are looked through. */
const looksAtTypes = (labels: number): number => {
  let looks = 0
  const types = new Proxy<ReadonlyArray<RecordTypeName>>(["A"], {
    get: (target, key) => {
      if (key === "length") looks += 1
      return Reflect.get(target, key)
    }
  })
  namesFor(Array(labels).fill("a").join("."), types)
  return looks
}
