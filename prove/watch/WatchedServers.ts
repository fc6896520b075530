import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { Lab } from "../../test/support/lab/Lab.ts"
import { makePowerDns, type PowerDns } from "../../test/support/lab/PowerDns.ts"
import type { RRsetChange } from "../../test/support/lab/RRsetChange.ts"
import { temporaryRoot } from "../../test/support/temporaryRoot.ts"
import { delegateZones } from "../proofZones.ts"
import { type NameServerRelay, startNameServerRelay } from "./NameServerRelay.ts"

/** A name server with data of its own, so that it can have other records of a zone than the others. */
export interface WatchedServer {
  readonly name: string
  readonly relay: NameServerRelay
  readonly patch: PowerDns["patch"]
}

/** Three name servers, to each of which every zone is delegated. */
export interface WatchedServers {
  readonly servers: ReadonlyArray<WatchedServer>
  /** When servers were asked about each zone; what follows within a second is left out. */
  readonly questionedAt: ReadonlyMap<string, ReadonlyArray<number>>
}

export const startWatchedServers = (zones: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const questionedAt = new Map<string, Array<number>>()
    const onQuestion = (name: string) => {
      const zone = name.split(".").slice(-2).join(".")
      const times = questionedAt.get(zone) ?? []
      questionedAt.set(zone, times)
      if (Date.now() - (times.at(-1) ?? 0) > 1_000) times.push(Date.now())
    }
    const servers = yield* Effect.forEach(
      numbers,
      (nth) =>
        Effect.gen(function* () {
          const upstream = `127.10.5.${nth}`
          const options = { name: `watch${nth}`, addresses: [upstream], directory, apiPort: 8_090 + nth }
          const powerDns = yield* makePowerDns(options)
          yield* powerDns.start
          yield* powerDns.createZone(hostZone, [...nameLines, ...addressLines].join("\n"))
          yield* Effect.forEach(zones, (zone) => powerDns.createZone(zone, [...nameLines, desiredLines].join("\n")), {
            concurrency: 4,
            discard: true
          })
          const relay = yield* startNameServerRelay({ address: addressOf(nth), upstream, onQuestion })
          const writes = yield* Effect.makeSemaphore(1)
          return { name: hostOf(nth), relay, patch: makePatch(powerDns, writes) }
        }),
      { concurrency: "unbounded" }
    )
    const glue = numbers.map((nth) => `${hostOf(nth)}. A ${addressOf(nth)}`).join("\n")
    yield* delegateZones(yield* Lab, [
      { domain: hostZone, nameServers: numbers.map(hostOf), more: glue },
      ...zones.map((domain) => ({ domain, nameServers: numbers.map(hostOf) }))
    ])
    const started: WatchedServers = { servers, questionedAt }
    return started
  })

/** Its database refuses a write that waits for another one too long, on a busy machine. */
const makePatch =
  ({ patch }: PowerDns, writes: Effect.Semaphore): PowerDns["patch"] =>
  (zone, rrsets) =>
    writes.withPermits(1)(patch(zone, rrsets).pipe(Effect.sandbox, Effect.retry({ times: 10 }), Effect.unsandbox))

const verification = `"platform-verification=4711"`

/** The desired records of each connection, which its zone has from the start. */
export const desiredRecords = [
  { host: "shop", type: "CNAME", value: "web.hostprov.net" },
  { host: "_verify", type: "TXT", value: "platform-verification=4711" }
] as const

const desiredLines = `
  @        A      192.0.2.10
  shop     CNAME  web.hostprov.net.
  _verify  TXT    ${verification}`

/** Brings the desired records back, whatever stands in their place. */
export const repairOf = (zone: string): ReadonlyArray<RRsetChange> => [
  { name: `shop.${zone}.`, type: "A", changetype: "DELETE" },
  replace(`shop.${zone}.`, "CNAME", "web.hostprov.net."),
  replace(`_verify.${zone}.`, "TXT", verification)
]

/** What a person does to a zone that takes desired records away, by name. */
export const driftsOf = (zone: string): Readonly<Record<string, ReadonlyArray<RRsetChange>>> => ({
  "deletes the alias": [{ name: `shop.${zone}.`, type: "CNAME", changetype: "DELETE" }],
  "changes the alias": [replace(`shop.${zone}.`, "CNAME", "web.otherprov.net.")],
  "replaces the alias by an address": [
    { name: `shop.${zone}.`, type: "CNAME", changetype: "DELETE" },
    replace(`shop.${zone}.`, "A", "192.0.2.99")
  ],
  "deletes the text": [{ name: `_verify.${zone}.`, type: "TXT", changetype: "DELETE" }],
  "changes the text": [replace(`_verify.${zone}.`, "TXT", `"platform-verification=another"`)]
})

/** What a person does to a zone that leaves the desired records as they are, by name. */
export const harmlessChangesOf = (zone: string): Readonly<Record<string, ReadonlyArray<RRsetChange>>> => ({
  "adds a host": [replace(`blog.${zone}.`, "A", "192.0.2.11")],
  "adds a text beside": [replace(`_verify.${zone}.`, "TXT", verification, `"another=text"`)],
  "changes another record": [replace(`${zone}.`, "A", "192.0.2.12")]
})

const replace = (name: string, type: string, ...contents: ReadonlyArray<string>): RRsetChange => ({
  name,
  type,
  changetype: "REPLACE",
  ttl: 300,
  records: contents.map((content) => ({ content }))
})

const numbers = [1, 2, 3]

/** The zone of the name servers' own names. */
const hostZone = "watchprov.com"

const hostOf = (nth: number): string => `ns${nth}.${hostZone}`

const addressOf = (nth: number): string => `127.10.4.${nth}`

const nameLines = numbers.map((nth) => `@ NS ${hostOf(nth)}.`)

const addressLines = numbers.map((nth) => `ns${nth} A ${addressOf(nth)}`)

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(`${temporaryRoot()}/watch-`)),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
)
