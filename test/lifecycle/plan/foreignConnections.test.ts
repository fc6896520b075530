import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import type { ConnectionId } from "../../../src/domain/connection/Connection.ts"
import type { Tenancy } from "../../../src/domain/access/Tenancy.ts"
import { Connections } from "../../../src/lifecycle/commands/Connections.ts"
import { ConnectionStore } from "../../../src/persistence/stores/connections/ConnectionStore.ts"
import { decodeConnection } from "../../../src/persistence/stores/connections/StoredConnection.ts"
import { tenancyOf } from "../../support/testApi.ts"
import {
  type ScriptedProvider,
  acmeTest,
  commandsFor,
  createDiscovered,
  platform,
  readConnectionRecord,
  waitUntilIdle,
  zoneWith
} from "../phases/scriptedProvider.ts"

/** The tenancy of the connections that `createDiscovered` creates. */
const sameTenancy = tenancyOf("app", "tenant")
const otherTenancies = [tenancyOf("app", "other"), tenancyOf("other", "tenant")]

const zoneWithShop = zoneWith("shop 3600 CNAME shops.example.net")

/** The plan of a tenant that points the shop elsewhere. */
const planMove = (tenancy: Tenancy) =>
  Effect.gen(function* () {
    const connections = yield* Connections
    const records = [{ ...platform, value: "other.example.net" }]
    const { stored } = yield* connections.create(tenancy, { domain: "example.com", records }, Option.none(), {
      allowDuplicate: true
    })
    yield* waitUntilIdle
    const { doc } = yield* Effect.flatMap(ConnectionStore, (store) => store.find(tenancy, stored.id))
    const { changes, digest, warnings } = decodeConnection(doc).plan ?? (yield* Effect.dieMessage("there is no plan"))
    return { changes, digest, warnings }
  })

/** The records of the shop were there before, so that the connection is active although nobody proved any access. */
const becomeActiveUnproven = (acme: ScriptedProvider) =>
  Effect.gen(function* () {
    yield* acme.become(zoneWithShop)
    const id = yield* createDiscovered()
    const { connection, progress } = yield* readConnectionRecord(id)
    expect(connection.state).toBe("active")
    expect(progress).toMatchObject({ hasProvenAccess: false, hasWritten: false, entered: [] })
    return id
  })

describe("a plan that replaces a record", () => {
  for (const tenancy of otherTenancies)
    acmeTest(
      `is the same for ${tenancy.applicationId}/${tenancy.tenantId} as if a stranger's connection were not there`,
      (acme) =>
        Effect.gen(function* () {
          yield* acme.become(zoneWithShop)
          const alone = yield* planMove(tenancy)
          yield* becomeActiveUnproven(acme)
          const besideStranger = yield* planMove(tenancy)
          expect(besideStranger).toEqual(alone)
          expect(besideStranger.warnings).not.toContain("other_connection_affected")
        })
    )

  acmeTest("warns of a connection of the same tenant that nobody proved", (acme) =>
    Effect.gen(function* () {
      yield* becomeActiveUnproven(acme)
      expect((yield* planMove(sameTenancy)).warnings).toContain("other_connection_affected")
    })
  )

  const withAccess: Readonly<Record<string, (acme: ScriptedProvider) => Effect.Effect<ConnectionId, unknown, any>>> = {
    "whose records the service wrote": () =>
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        yield* commandsFor(id).authorize()
        yield* commandsFor(id).approve()
        return id
      }),
    "whose customer entered the records": (acme) =>
      Effect.gen(function* () {
        const id = yield* createDiscovered()
        yield* commandsFor(id).chooseManual
        yield* acme.become(zoneWithShop)
        yield* commandsFor(id).recheck
        return id
      })
  }
  for (const [description, connect] of Object.entries(withAccess))
    acmeTest(`warns of another tenant's connection ${description}`, (acme) =>
      Effect.gen(function* () {
        const id = yield* connect(acme)
        expect((yield* readConnectionRecord(id)).connection.state).toBe("active")
        for (const tenancy of otherTenancies)
          expect((yield* planMove(tenancy)).warnings).toContain("other_connection_affected")
      })
    )
})
