import { expect, test } from "bun:test"
import { buildQuestionSets } from "../../../src/dns/zone/QuestionSet.ts"
import { DomainName, HostName } from "../../../src/domain/names/DomainName.ts"
import { queryableTypes, type RecordTypeName } from "../../../src/domain/records/dnsTypes.ts"

const zone = DomainName.make("example.com")

/** The question sets for these types at a host. */
const questionSetsFor = (host: string, types: ReadonlyArray<RecordTypeName>) =>
  buildQuestionSets({ domain: zone, zone, hosts: [{ host: HostName.make(host), types }], label: "random" })

const wildcardSets = (types: ReadonlyArray<RecordTypeName>) =>
  [
    ["*.x.y.example.com", "random.x.y.example.com", "*.y.example.com"],
    ["*.y.example.com", "random.y.example.com", "*.example.com"],
    ["*.example.com", "random.example.com", undefined]
  ].map(([owner, queryName, wildcard]) => ({ owner, queryName, types, wildcard }))

const cutSets = [
  { owner: "x.y.example.com", queryName: "x.y.example.com", types: ["NS"], wildcard: "*.y.example.com" },
  { owner: "y.example.com", queryName: "y.example.com", types: ["NS"], wildcard: "*.example.com" }
]

test("question sets contain the host, the possible zone cuts above it, and every type at the wildcards above", () => {
  const owner = "w.x.y.example.com"
  expect<unknown>(questionSetsFor("w.x.y", ["A", "SOA"])).toEqual([
    { owner, queryName: owner, types: ["A", "SOA"], wildcard: "*.x.y.example.com" },
    ...cutSets,
    ...wildcardSets([...queryableTypes, "SOA"])
  ])
})

test("question sets contain a wildcard once, whether it is requested or lies above a host", () => {
  const [requested, ...above] = wildcardSets(queryableTypes)
  expect<unknown>(questionSetsFor("*.x.y", ["A"])).toEqual([requested, ...cutSets, ...above])
})

test("question sets read the types of a host no more often the deeper it lies", () => {
  expect(typeReads(100) / typeReads(25)).toBeLessThan(2)
})

/** How often the types of a host with so many labels are read. */
const typeReads = (labels: number): number => {
  let reads = 0
  const types = new Proxy<ReadonlyArray<RecordTypeName>>(["A"], {
    get: (target, key) => {
      if (key === "length") reads += 1
      return Reflect.get(target, key)
    }
  })
  questionSetsFor(Array(labels).fill("a").join("."), types)
  return reads
}
