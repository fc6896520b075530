import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import { Tables } from "../../support/memory/Tables.ts"
import { zoneOf } from "../../support/planFixtures.ts"
import { hasSameRecords } from "../../support/scriptedZone.ts"
import {
  acmeTest,
  commandsFor,
  platform,
  readConnection,
  readPlannedChanges,
  readState,
  zoneWith
} from "../phases/scriptedProvider.ts"
import { approveAll, connect, disconnect } from "./connectionSteps.ts"

const mailOf = (sender: string) =>
  ({ host: "@", type: "TXT", value: `v=spf1 include:${sender}.example.net ~all` }) as const
const mark = { host: "_mark", type: "TXT", value: "second" } as const

describe("disconnecting a connection", () => {
  for (const [situation, command] of Object.entries({
    "waits to be repaired": (id: ConnectionId) => commandsFor(id).retry,
    "waits for the approval of a repair": (id: ConnectionId) =>
      Effect.zipRight(commandsFor(id).retry, commandsFor(id).authorize())
  }))
    acmeTest(`removes no records of another connection that ${situation}`, (acme) =>
      Effect.gen(function* () {
        const first = yield* connect(mailOf("a"), platform)
        const second = yield* connect(mailOf("b"), platform, mark)
        yield* acme.become({ ...acme.now(), records: acme.now().records.filter(({ host }) => host !== mark.host) })
        yield* commandsFor(second).recheck
        yield* command(second)
        yield* disconnect(first)
        const expected = zoneWith("@ 3600 TXT v=spf1 include:b.example.net ~all", "shop 3600 CNAME shops.example.net")
        expect(hasSameRecords(acme.now(), expected)).toBe(true)
      })
    )

  acmeTest("leaves shared records to another connection, which removes them when it is disconnected", (acme) =>
    Effect.gen(function* () {
      const first = yield* connect(mailOf("a"), platform)
      const heir = yield* connect(mailOf("a"), platform)
      yield* disconnect(first)
      expect((yield* readConnection(first)).leftovers?.map(({ reason }) => reason)).toEqual([
        "wanted_by_another_connection",
        "wanted_by_another_connection"
      ])
      yield* commandsFor(heir).disconnect
      expect([yield* readState(heir), (yield* readPlannedChanges(heir))?.length]).toEqual(["awaiting_authorization", 2])
      yield* commandsFor(heir).authorize()
      yield* approveAll(heir)
      expect([yield* readState(heir), hasSameRecords(acme.now(), zoneWith())]).toEqual(["disconnected", true])
    })
  )

  for (const [situation, providerId, proxied] of [
    ["is proxied again at the provider that proxied it", "acme-dns", [true]],
    ["is not proxied at the provider to which its zone has moved since", "former-dns", [undefined]]
  ] as const)
    acmeTest(`a replaced record ${situation}`, (acme) =>
      Effect.gen(function* () {
        const { journal } = yield* Tables
        const shop = zoneOf("shop 300 A 192.0.2.3").records.map((record) => ({ ...record, proxied: true }))
        yield* acme.become({ ...acme.now(), records: [...acme.now().records, ...shop] })
        const id = yield* connect(platform)
        for (const [position, entry] of journal) journal.set(position, { ...entry, providerId })
        yield* disconnect(id)
        const restored = acme.now().records.filter(({ host }) => host === "shop")
        expect(restored.map((record) => record.proxied)).toEqual([...proxied])
      })
    )

  for (const [situation, providerId, automaticTtl] of [
    ["is left to the provider again that chose it", "acme-dns", [true]],
    ["stays as it was served at the provider to which its zone has moved since", "former-dns", [undefined]]
  ] as const)
    acmeTest(`the TTL of a replaced record ${situation}, and the plan does not mention it before`, (acme) =>
      Effect.gen(function* () {
        const { journal } = yield* Tables
        const shop = zoneOf("shop 300 A 192.0.2.3").records.map((record) => ({ ...record, automaticTtl: true }))
        yield* acme.become({ ...acme.now(), records: [...acme.now().records, ...shop] })
        const id = yield* connect(platform)
        expect([...journal.values()].filter(({ change }) => change.before?.automaticTtl === true)).toHaveLength(1)
        for (const [position, entry] of journal) journal.set(position, { ...entry, providerId })
        yield* disconnect(id)
        const restored = acme.now().records.filter(({ host }) => host === "shop")
        expect(restored.map((record) => record.automaticTtl)).toEqual([...automaticTtl])
      })
    )
})
