import { expect } from "bun:test"
import { Effect } from "effect"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { judges, makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { openZone, planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { makeFakeHetzner, readOnlyToken, validToken } from "./FakeHetzner.ts"
import { hetznerState } from "./hetznerState.ts"
import { hetznerUnderTest, setOf, zoneName } from "./hetznerUnderTest.ts"

const host = "api.hetzner.cloud"

type JudgeCall = readonly [operation: string, input: object]

/** Distilled's client of Hetzner's API, unaltered, against the fake at Hetzner's own host. */
const makeClient = (sets: Parameters<typeof hetznerState>[0][string] = []) =>
  Effect.gen(function* () {
    const environment = yield* makeVendorHosts([host])
    const fake = yield* makeFakeHetzner(hetznerState({ [zoneName]: sets }), environment.listener(host))
    const run = (calls: ReadonlyArray<JudgeCall>, token = validToken) =>
      environment.run([process.execPath, `${judges}hetzner.js`, JSON.stringify(calls)], { HCLOUD_TOKEN: token })
    const client = (...calls: ReadonlyArray<JudgeCall>) =>
      Effect.map(run(calls), ({ exitCode, stderr, stdout }) => {
        expect([exitCode, stderr]).toEqual([0, ""])
        return JSON.parse(stdout)
      })
    return { client, fake, run }
  })

const inZone = (operation: string, input: object = {}): JudgeCall => [operation, { id_or_name: zoneName, ...input }]
const create = (set: object) => inZone("zoneRrsets.createZoneRrset", set)
const list = inZone("zoneRrsets.listZoneRrsets", { per_page: 100 })

/** The sets of a list but those that every zone has. */
const ownSets = (items: ReadonlyArray<any>) => items.filter(({ ttl }) => ttl !== null)

const values = (...all: ReadonlyArray<string>) => ({ records: all.map((value) => ({ value })) })

const unavailable =
  missingVendorData ?? vendorHostsUnavailableReason(`${judges}node_modules/@distilled.cloud/hetzner/package.json`)

describeIfPossible("Distilled's client of Hetzner", unavailable, () => {
  live("finds the zone, and creates, lists, changes and deletes a set", () =>
    Effect.gen(function* () {
      const { client, fake, run } = yield* makeClient()
      const mx = { name: "@", type: "MX", ttl: 600, ...values("10 mail.example.net.") }
      const [{ zone }, created, sets] = yield* client(inZone("zones.getZone"), create(mx), list)
      expect(zone).toMatchObject({ name: zoneName, mode: "primary", ttl: 86_400 })
      expect(created).toMatchObject({ rrset: mx, action: { command: "create_rrset", status: "success", error: null } })
      expect(ownSets(sets)).toMatchObject([mx])

      const set = { rr_name: "@", rr_type: "MX" }
      const [, , , exchanged, , replaced] = yield* client(
        inZone("zoneRrsetActions.changeZoneRrsetTtl", { ...set, ttl: 300 }),
        inZone("zoneRrsetActions.addZoneRrsetRecords", { ...set, ...values("20 mail2.example.net.") }),
        inZone("zoneRrsetActions.removeZoneRrsetRecords", { ...set, ...values("10 mail.example.net.") }),
        list,
        inZone("zoneRrsetActions.setZoneRrsetRecords", { ...set, ...values("30 mail3.example.net.") }),
        list
      )
      expect(ownSets(exchanged)).toMatchObject([{ ...mx, ttl: 300, ...values("20 mail2.example.net.") }])
      expect(ownSets(replaced)).toMatchObject([{ ...mx, ttl: 300, ...values("30 mail3.example.net.") }])

      const before = fake.state()
      const again = yield* run([create(mx)])
      expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining("the set exists already")])
      const reader = yield* run([create(mx)], readOnlyToken)
      expect([reader.exitCode, reader.stderr]).toEqual([1, expect.stringContaining("Forbidden")])
      const stranger = yield* run([inZone("zones.getZone")], "wrong")
      expect([stranger.exitCode, stranger.stderr]).toEqual([1, expect.stringContaining("Unauthorized")])
      const absent = yield* run([["zones.getZone", { id_or_name: "absent.example" }]])
      expect([absent.exitCode, absent.stderr]).toEqual([1, expect.stringContaining("NotFound")])
      expect(fake.state()).toEqual(before)

      const [, left] = yield* client(inZone("zoneRrsets.deleteZoneRrset", set), list)
      expect(ownSets(left)).toEqual([])
    })
  )

  live("reads every page of a zone", () =>
    Effect.gen(function* () {
      const sets = Array.from({ length: 250 }, (_, index) => setOf(`host${index}`, "A", 300, "192.0.2.1"))
      const { client, fake } = yield* makeClient(sets)
      const [listed] = yield* client(list)
      expect(ownSets(listed)).toHaveLength(250)
      expect(fake.calls().map(({ query }) => query)).toEqual([1, 2, 3].map((page) => `page=${page}&per_page=100`))
    })
  )

  live("writes records that the adapter reads, and reads those that the adapter writes", () =>
    Effect.gen(function* () {
      const { client, fake } = yield* makeClient()
      const written: ReadonlyArray<readonly [name: string, type: string, value: string]> = [
        ["@", "TXT", '"say \\"hi\\" \\\\ ;"'],
        ["_sip._tcp", "SRV", "10 20 5060 sip.example.net."],
        ["@", "CAA", '0 issue "letsencrypt.org"'],
        ["*", "A", "192.0.2.7"],
        ["www6", "AAAA", "2001:db8::1"],
        ["team", "NS", "ns1.example.net."],
        ["www", "CNAME", "web.example.net."],
        ["mail", "MX", "10 mx.example.net."]
      ]
      yield* client(...written.map(([name, type, value]) => create({ name, type, ttl: 300, ...values(value) })))

      // Only what runs at the vendor's host trusts the certificate there.
      const plainFake = yield* makeFakeHetzner(fake.state())
      const opened = yield* openZone(hetznerUnderTest(plainFake), {})
      const snapshot = yield* opened.read
      const records = snapshot.zone.records.filter(({ host, type }) => host !== "@" || !/^(NS|SOA)$/.test(type))
      expect(records).toEqual([
        { host: "*", type: "A", ttl: 300, value: "192.0.2.7" },
        { host: "www6", type: "AAAA", ttl: 300, value: "2001:db8::1" },
        { host: "@", type: "CAA", ttl: 300, value: '0 issue "letsencrypt.org"' },
        { host: "www", type: "CNAME", ttl: 300, value: "web.example.net" },
        { host: "mail", type: "MX", ttl: 300, priority: 10, value: "mx.example.net" },
        { host: "team", type: "NS", ttl: 300, value: "ns1.example.net" },
        { host: "_sip._tcp", type: "SRV", ttl: 300, priority: 10, value: "20 5060 sip.example.net" },
        { host: "@", type: "TXT", ttl: 300, value: 'say "hi" \\ ;' }
      ])

      const desired = [
        "shop 300 CNAME shops.example.net",
        "mail2 300 MX 5 mail.example.net",
        "*.shop2 300 A 192.0.2.8",
        "mail6 300 AAAA 2001:db8::2",
        "crew 300 NS ns3.example.net",
        "_xmpp._tcp 300 SRV 5 0 5222 xmpp.example.net",
        'shop2 300 CAA 0 issue "ca.example.net"',
        "shop2 300 TXT two; words"
      ]
      const intent = resolvedIntentOf(zoneName, { desired })
      yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes, opened)
      fake.update(plainFake.state)
      const [listed] = yield* client(list)
      const added = ownSets(listed)
        .filter(({ name, type }) => !written.some(([host, other]) => host === name && other === type))
        .map(({ name, records, ttl, type }) =>
          [name, ttl, type, ...records.map((record: any) => record.value)].join(" ")
        )
      expect(added.toSorted()).toEqual([
        "*.shop2 300 A 192.0.2.8",
        "_xmpp._tcp 300 SRV 5 0 5222 xmpp.example.net.",
        "crew 300 NS ns3.example.net.",
        "mail2 300 MX 5 mail.example.net.",
        "mail6 300 AAAA 2001:db8::2",
        "shop 300 CNAME shops.example.net.",
        // The CAs of the apex stay allowed.
        'shop2 300 CAA 0 issue "ca.example.net" 0 issue "letsencrypt.org"',
        'shop2 300 TXT "two; words"'
      ])
    })
  )
})
