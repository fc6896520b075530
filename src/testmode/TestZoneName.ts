import { toUnicode } from "tr46"
import type { TestRecordSet } from "../domain/testmode/TestZone.ts"
import { formatText } from "../providers/writing/recordContent.ts"
import type { TestDomain, TestProviderId, TestRecord } from "./TestDomain.ts"
import { testDomains } from "./testDomains.ts"

/** A zone of test mode: its name, and the test domain whose promise it keeps. */
export interface TestZoneName {
  readonly zone: string
  readonly domain: TestDomain
}

/** Finds the zone that a name in normal form belongs to; none outside the test domains. */
export const findTestZone = (name: string): TestZoneName | undefined => {
  const [label, top] = name.split(".").slice(-2)
  if (label === undefined || top !== topLevelDomain) return undefined
  // The A-label of a name begins with its ASCII letters, and ends in a code for the others.
  const spelled = label.startsWith("xn--") ? toUnicode(label).domain : label
  const domain = longestFirst.find(({ name }) => spelled === name || spelled.endsWith(`-${name}`))
  return domain === undefined ? undefined : { zone: `${label}.${top}`, domain }
}

/** The top-level domain of all test domains, which nobody can register (RFC 2606 section 2). */
export const topLevelDomain = "test"

/** The test domains by length, so that a name that ends in two of them belongs to the longer one. */
const longestFirst = testDomains.toSorted((one, other) => other.name.length - one.name.length)

export const initialSetsOf = ({ domain, zone }: TestZoneName): ReadonlyArray<TestRecordSet> => {
  const delegation = nameServersOf(domain).map((server): TestRecord => ["@", "NS", `${server}.`])
  const all = [...delegation, ...(domain.records ?? [])]
  const sets = Map.groupBy(all, ([host, type]) => `${host} ${type}`)
  return [...sets.values()].flatMap(([first, ...others]): ReadonlyArray<TestRecordSet> => {
    if (first === undefined) return []
    const [host, type] = first
    const name = host === "@" ? zone : `${host}.${zone}`
    const toRecord = ([, type, content]: TestRecord) => {
      const text = content.replaceAll("ZONE", zone)
      return { content: type === "TXT" ? formatText(text) : text }
    }
    return [{ name, type, ttl: testTtl, records: [toRecord(first), ...others.map(toRecord)] }]
  })
}

export const nameServersOf = ({ nameServers, provider }: TestDomain): ReadonlyArray<string> =>
  nameServers ?? ["ns1", "ns2"].map((server) => `${server}.${providerLabelOf(provider)}.${topLevelDomain}`)

/** The label below `.test` of the name servers of a provider. */
export const providerLabelOf = (provider: TestProviderId): string => (provider === "unknown" ? "unlisted" : provider)

/** The label below `.test` of the name servers from which several providers serve zones. */
export const sharedLabel = "test-shared-dns"

/** The TTL of the records that test domains begin with, in seconds. */
const testTtl = 300
