import { expect } from "bun:test"
import { type Duration, Effect, Either } from "effect"
import type { NameServer } from "../../src/dns/zone/NameServer.ts"
import type { ZoneRecord } from "../../src/domain/records/DnsRecord.ts"
import { DomainName, HostName } from "../../src/domain/names/DomainName.ts"
import type { Zone } from "../../src/domain/plan/Zone.ts"
import type { RecordTypeName } from "../../src/domain/records/dnsTypes.ts"
import { live } from "../support/effectTest.ts"
import type { ScriptedInternet } from "../support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../support/lab/ScriptedTopology.ts"
import type { Fault } from "../support/lab/dnsFaults.ts"
import { dnsFixture, withoutDeadline } from "./dnsFixture.ts"

export type ExpectedQueries = Readonly<Record<string, ReadonlyArray<RecordTypeName>>>

export const firstServer = "ns1.prov.net"
export const secondServer = "ns2.prov.net"
const servers = [
  { name: firstServer, addresses: ["11.0.1.1"] },
  { name: secondServer, addresses: ["11.0.1.2"] }
]

export const zoneOf = (records: string): InternetSpec => ({
  zones: { "example.com": { nameServers: [firstServer, secondServer], records } }
})

/** Reads these types at these hosts of a domain in the zone `example.com`. */
export const readZoneOf = (
  spec: InternetSpec,
  questions: ExpectedQueries,
  options: {
    readonly domain?: string
    readonly nameServers?: ReadonlyArray<NameServer>
    readonly prepare?: (internet: ScriptedInternet) => void
    readonly timeout?: Duration.DurationInput
    /** The types that must be known at a host (`HostQuestion.required`). */
    readonly required?: ExpectedQueries
  } = {}
) =>
  Effect.gen(function* () {
    const { internet, zones } = yield* dnsFixture(spec, options.timeout)
    options.prepare?.(internet)
    const result = yield* Effect.either(
      withoutDeadline(
        zones.read({
          domain: DomainName.make(options.domain ?? "example.com"),
          delegation: {
            zone: DomainName.make("example.com"),
            nameServers: options.nameServers ?? servers,
            parentNameServers: [firstServer, secondServer],
            childNameServers: [firstServer, secondServer],
            hasParentChildMismatch: false,
            isSigned: false
          },
          hosts: Object.entries(questions).map(([host, types]) => ({
            host: HostName.make(host),
            types,
            required: options.required?.[host] ?? []
          }))
        })
      )
    )
    return { internet, result: Either.mapLeft(result, ({ _tag, unanswered }) => ({ _tag, unanswered })) }
  })

/** Defines a test of the records that are read; `around` is what the zone tells besides them. */
export const expectZone = (
  name: string,
  records: string,
  questions: ExpectedQueries,
  expected: ReadonlyArray<ZoneRecord>,
  { around = {}, ...options }: Parameters<typeof readZoneOf>[2] & { readonly around?: Partial<Zone> } = {}
) =>
  live(name, () =>
    Effect.map(readZoneOf(zoneOf(records), questions, options), ({ result }) =>
      expect(Either.map(result, ({ zone }) => zone)).toEqual(
        Either.right({ name: DomainName.make("example.com"), basis: "public_dns", records: expected, ...around })
      )
    )
  )

export const onAllServers = (fault: Fault, only?: { readonly name?: string; readonly type?: string }) => ({
  prepare: (internet: ScriptedInternet) =>
    [firstServer, secondServer].forEach((server) => internet.script(server, fault, only))
})

export const record = (host: string, type: string, value: string, more: Partial<ZoneRecord> = {}): ZoneRecord => ({
  host,
  type,
  value,
  ttl: 300,
  ...more
})
