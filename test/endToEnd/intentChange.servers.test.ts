import { expect } from "bun:test"
import { Effect } from "effect"
import { powerDnsUnderTest } from "../providers/adapters/powerdns/powerDnsUnderTest.ts"
import { createTestConnection } from "../support/TestConnection.ts"
import { Lab } from "../support/lab/Lab.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { labPowerDns, labService } from "../support/labService.ts"
import { get, issueKey, jsonOf, patch } from "../support/testApi.ts"

const declarations = [{ ...labPowerDns, nameServers: ["glued.com", ...labPowerDns.nameServers] }]

const spf = { host: "@", type: "TXT", value: "v=spf1 include:_spf.mailprov.net -all" }

const oldRecords = [
  { host: "www", type: "CNAME", value: "web.hostprov.net" },
  { host: "_verify", type: "TXT", value: "platform-verification=old" },
  spf
]

const newRecords = [
  { host: "shop", type: "CNAME", value: "web.hostprov.net" },
  { host: "_verify", type: "TXT", value: "platform-verification=new" },
  spf
]

const dkimKey = (selector: string, modulus: string) => ({
  host: `${selector}._domainkey`,
  type: "TXT",
  value: `v=DKIM1; k=rsa; p=MIIB${modulus.repeat(388)}`
})

/** Connects a zone, and functions that change the intent and bring its plan into the zone. */
const connect = Effect.fnUntraced(function* (initialRecords: ReadonlyArray<object> = oldRecords) {
  const { pdns } = yield* Lab
  const subject = powerDnsUnderTest(pdns)
  const credential = { apiToken: pdns.key }
  const { key } = yield* issueKey()
  const before = yield* subject.dump
  const intentOf = (records: ReadonlyArray<object>) => ({ domain: subject.zone, records })
  const { command, id, waitForState } = yield* createTestConnection(key, intentOf(initialRecords))

  const authorize = Effect.gen(function* () {
    yield* command("authorization", { method: "direct_credential", credential })
    const { plan } = yield* waitForState("planned")
    yield* command("approval", { digest: plan.digest, acknowledge: plan.warnings })
  })
  yield* authorize
  yield* waitForState("active")
  const path = `/v1/connections/${id}`
  const update = (records: ReadonlyArray<object>) =>
    Effect.map(
      Effect.flatMap(patch(path, key, { intent: intentOf(records) }, { prefer: "wait=30" }), jsonOf),
      ({ connection }) => connection
    )
  const observed = Effect.map(Effect.flatMap(get(`${path}/records`, key), jsonOf), ({ records }) =>
    records.map(({ expected, status }: any) => [expected.host, status])
  )
  const disconnect = Effect.gen(function* () {
    yield* command("disconnect")
    yield* authorize
    const { leftovers } = yield* waitForState("disconnected")
    expect(leftovers).toEqual([])
    expect(yield* subject.dump).toEqual(before)
  })
  return { authorize, command, disconnect, observed, subject, update, waitForState }
})

describeLab("a change of the intent", (live) => {
  live(
    "is planned, approved and written to the zone while the old intent counts, and a disconnect restores the zone",
    () =>
      Effect.gen(function* () {
        const { authorize, disconnect, observed, subject, update, waitForState } = yield* connect()
        const connected = yield* subject.dump
        const pending = yield* update(newRecords)
        expect([pending.state, pending.intent.records.length]).toEqual(["awaiting_authorization", 3])
        expect(pending.pendingIntent.intent.records).toMatchObject(newRecords)
        const summary = pending.plan.changes.map(({ action, after, before }: any) => [action, (after ?? before).host])
        expect(summary).toContainEqual(["create", "shop"])
        expect(summary).toContainEqual(["update", "_verify"])
        expect(summary.filter(([, host]: [string, string]) => host === "@")).toEqual([])
        expect(yield* subject.dump).toEqual(connected)

        yield* authorize
        const changed = yield* waitForState("active")
        expect([changed.pendingIntent, changed.intent.records]).toMatchObject([undefined, newRecords])
        expect(yield* observed).toEqual([
          ["shop", "present"],
          ["_verify", "present"],
          ["@", "present"]
        ])
        yield* disconnect
      }).pipe(Effect.provide(labService(declarations)))
  )

  live("rotates a DKIM key: the old selector is served until the new one is written, and is gone afterwards", () =>
    Effect.gen(function* () {
      const [oldKey, newKey] = [dkimKey("s1", "x"), dkimKey("s2", "y")]
      const { authorize, disconnect, observed, subject, update, waitForState } = yield* connect([oldKey, spf])
      const connected = yield* subject.dump
      const rotating = yield* update([newKey, spf])
      expect(rotating.plan.changes).toMatchObject([
        { action: "create", after: newKey },
        { action: "delete", before: oldKey }
      ])
      expect([rotating.intent.records, yield* observed]).toMatchObject([
        [oldKey, spf],
        [
          ["s1._domainkey", "present"],
          ["@", "present"]
        ]
      ])
      expect(yield* subject.dump).toEqual(connected)

      yield* authorize
      expect((yield* waitForState("active")).intent.records).toMatchObject([newKey, spf])
      expect(yield* observed).toEqual([
        ["s2._domainkey", "present"],
        ["@", "present"]
      ])
      expect((yield* subject.dump).filter((line) => line.includes("_domainkey"))).toEqual([
        expect.stringMatching(/^s2\._domainkey\.glued\.com\. \+ 3600 TXT "v=DKIM1; /)
      ])
      yield* disconnect
    }).pipe(Effect.provide(labService(declarations)))
  )

  live("that is canceled leaves the connection active with the old intent, and the zone as it is", () =>
    Effect.gen(function* () {
      const { command, disconnect, subject, update } = yield* connect()
      const connected = yield* subject.dump
      yield* update(newRecords)
      const canceled = yield* command("cancel")
      expect([canceled.state, canceled.pendingIntent, canceled.plan]).toEqual(["active", undefined, undefined])
      expect(canceled.intent.records).toMatchObject(oldRecords)
      expect(yield* subject.dump).toEqual(connected)
      yield* disconnect
    }).pipe(Effect.provide(labService(declarations)))
  )

  live("while a disconnect comes before its approval restores the whole zone", () =>
    Effect.gen(function* () {
      const { disconnect, update } = yield* connect()
      yield* update(newRecords)
      yield* disconnect
    }).pipe(Effect.provide(labService(declarations)))
  )
})
