import { expect } from "bun:test"
import { type Duration, Effect, Either } from "effect"
import type { NameServer } from "../../src/dns/Walk.ts"
import type { TypeName } from "../../src/dns/wire/recordTypes.ts"
import type { ZoneRecord } from "../../src/domain/DnsRecord.ts"
import { DomainName, HostName } from "../../src/domain/DomainName.ts"
import { live } from "../support/effect.ts"
import type { Fault } from "../support/lab/faults.ts"
import type { ScriptedInternet } from "../support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../support/lab/topology.ts"
import { world } from "./world.ts"

export type Asked = Readonly<Record<string, ReadonlyArray<TypeName>>>

export const one = "ns1.prov.net"
export const two = "ns2.prov.net"
const servers = [
  { name: one, addresses: ["11.0.1.1"] },
  { name: two, addresses: ["11.0.1.2"] }
]

export const zoneOf = (records: string): InternetSpec => ({
  zones: { "example.com": { nameServers: [one, two], records } }
})

/** What the zone `example.com` is read as: hosts of a domain in it and types at them. */
export const reading = (
  spec: InternetSpec,
  asked: Asked,
  options: {
    readonly domain?: string
    readonly nameServers?: ReadonlyArray<NameServer>
    readonly prepare?: (internet: ScriptedInternet) => void
    readonly timeout?: Duration.DurationInput
  } = {}
) =>
  Effect.gen(function* () {
    const { internet, zones } = yield* world(spec, options.timeout)
    options.prepare?.(internet)
    const result = yield* Effect.either(
      zones.read({
        domain: DomainName.make(options.domain ?? "example.com"),
        delegation: {
          zone: DomainName.make("example.com"),
          nameServers: options.nameServers ?? servers,
          parentNameServers: [one, two],
          childNameServers: [one, two],
          parentChildMismatch: false,
          signed: false
        },
        hosts: Object.entries(asked).map(([host, types]) => ({ host: HostName.make(host), types }))
      })
    )
    return { internet, result: Either.mapLeft(result, ({ _tag, unanswered }) => ({ _tag, unanswered })) }
  })

/** A test of the records that are read. */
export const reads = (
  name: string,
  records: string,
  asked: Asked,
  expected: ReadonlyArray<ZoneRecord>,
  options?: Parameters<typeof reading>[2]
) =>
  live(name, () =>
    Effect.map(reading(zoneOf(records), asked, options), ({ result }) =>
      expect(Either.map(result, ({ zone }) => zone)).toEqual(
        Either.right({ name: DomainName.make("example.com"), basis: "public_dns", records: expected })
      )
    )
  )

export const everywhere = (fault: Fault, only?: { readonly name?: string; readonly type?: string }) => ({
  prepare: (internet: ScriptedInternet) => [one, two].forEach((server) => internet.script(server, fault, only))
})

export const record = (host: string, type: string, value: string, more: Partial<ZoneRecord> = {}): ZoneRecord => ({
  host,
  type,
  value,
  ttl: 300,
  ...more
})
