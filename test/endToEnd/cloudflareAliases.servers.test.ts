import { expect } from "bun:test"
import { Effect } from "effect"
import { Providers } from "../../src/providers/Providers.ts"
import { catalogAdapters } from "../../src/providers/catalog/catalogAdapters.ts"
import { makeCatalogProviders } from "../../src/providers/catalog/makeCatalogProviders.ts"
import { cloudflareWith } from "../providers/adapters/cloudflare/cloudflare.ts"
import { servedCloudflareRecords } from "../lifecycle/verify/servedCloudflareRecords.ts"
import { type CloudflareData, storedRecord } from "../providers/adapters/cloudflare/storedCloudflareRecords.ts"
import { editRecords, makeFakeOf, recordsIn, underTest } from "../providers/adapters/DescribedAdapter.ts"
import { shownCredential } from "../providers/adapters/shownCredential.ts"
import { approvalOf, createTestConnection } from "../support/TestConnection.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { describeLab } from "../support/lab/describeLab.ts"
import { serveAtLab } from "../support/lab/serveAtLab.ts"
import { labService } from "../support/labService.ts"
import { get, issueKey, jsonOf } from "../support/testApi.ts"
import { httpClientFor } from "../support/vendors/httpClientFor.ts"
import { eventually } from "../webhooks/Receiver.ts"
import { missingVendorData } from "../support/vendors/vendorData.ts"
import type { EnteredRecord } from "../support/vendors/VendorZones.ts"

/** Targets outside the zone. */
const outside = "web.hostprov.net"
const former = "mx1.mailprov.net"

/** Their addresses in the lab. */
const addressesOutside: Readonly<Record<string, ReadonlyArray<string>>> = {
  [outside]: ["A 198.51.100.80"],
  [former]: ["A 198.51.100.25"]
}

type Stored = Parameters<typeof storedRecord>[0]

const storedAlias = { name: "shop", type: "CNAME", content: outside } as const
const storedMx = { name: "shop", type: "MX", content: "mx1.mailprov.net", priority: 10 } as const
const storedText = { name: "shop", type: "TXT", content: '"kept=1"' } as const

const alias = { host: "shop", type: "CNAME", value: outside }
const mx = { host: "shop", type: "MX", value: "mx1.mailprov.net", priority: 10 }
const token = { host: "shop", type: "TXT", value: "platform-verify=1" }

interface CloudflareScenario {
  readonly stored: ReadonlyArray<Stored>
  readonly desired: ReadonlyArray<object>
  readonly flattensAll?: boolean
}

/** A zone that Cloudflare's fake stores, and the lab serves as Cloudflare would; a service that reaches both. */
const openCloudflare = ({ flattensAll = false, stored }: Omit<CloudflareScenario, "desired">) =>
  Effect.gen(function* () {
    const adapter = cloudflareWith({ flattensAll })
    const fake = yield* makeFakeOf(adapter, stored.map(toStoredRecord))
    const subject = underTest(adapter, fake)
    const { publish } = yield* serveAtLab({
      ...subject,
      dump: Effect.sync(() =>
        servedCloudflareRecords(
          { name: subject.zone, records: recordsIn(fake), flattensAll },
          (name) => addressesOutside[name] ?? []
        )
      )
    })
    const http = httpClientFor(fake)
    const catalogued = makeCatalogProviders({ adapters: catalogAdapters, http, settings: [] })
    return {
      publish,
      /** Stores these records in place of all others, as the customer does. */
      update: (records: ReadonlyArray<Stored>) =>
        Effect.sync(() =>
          editRecords(fake, () => records.map((record, index) => ({ ...toStoredRecord(record), id: `${index}` })))
        ),
      credential: shownCredential(subject.credential),
      service: labService([], { environment: { LOG_LEVEL: "none" }, providers: Providers.layer([], catalogued) }),
      /** The zone as lines, with how each record is stored. */
      readStored: Effect.sync(() => recordsIn(fake).map(describeStored).toSorted())
    }
  })

const toStoredRecord = (record: Stored) =>
  storedRecord({ ...record, name: record.name === "@" ? "example.com" : `${record.name}.example.com` })

const describeStored = ({ data: { content, proxied, settings }, name, type }: EnteredRecord<CloudflareData>): string =>
  [
    name.replace(/\.?example\.com$/, "") || "@",
    type,
    content.replaceAll('"', ""),
    proxied ? "proxied" : "",
    settings["flatten_cname"] === true ? "flattened" : ""
  ]
    .filter((word) => word !== "")
    .join(" ")

const describeObservation = ({ expected, observed, status }: any): string =>
  [expected.host, expected.type, status, ...new Set(observed.flatMap(({ reason }: any) => reason ?? []))].join(" ")

/** Requests the records, authorizes by token, approves, and returns the plan and what is stored and shown once active. */
const connected = ({ desired, ...scenario }: CloudflareScenario) =>
  Effect.gen(function* () {
    const { credential, readStored, service } = yield* openCloudflare(scenario)
    return yield* Effect.gen(function* () {
      const { key } = yield* issueKey()
      const { command, created, id, read, waitForState } = yield* createTestConnection(key, {
        domain: "example.com",
        records: desired
      })
      /** Approves the plan from the provider's zone, if anything is to be changed. */
      const approve = ({ plan, state }: any, next: string) =>
        Effect.gen(function* () {
          if (state === next) return
          expect(plan.basis).toBe("provider")
          yield* command("approval", approvalOf(plan))
          yield* waitForState(next)
        })
      expect([created.failure, created.provider.id, created.state]).toEqual([
        undefined,
        "cloudflare",
        "awaiting_authorization"
      ])
      yield* command("authorization", { method: "direct_credential", credential })
      yield* approve(yield* waitForState("planned", "active"), "active")
      const { records } = yield* Effect.flatMap(get(`/v1/connections/${id}/records`, key), jsonOf)
      const stored = yield* readStored
      yield* command("disconnect")
      yield* command("authorization", { method: "direct_credential", credential })
      yield* approve(yield* waitForState("planned", "disconnected"), "disconnected")
      expect((yield* read).leftovers).toEqual([])
      return {
        observed: records.map(describeObservation),
        // Where nothing else is to be written, the challenge is.
        stored: stored.filter((line) => !line.startsWith("_domain-connection TXT ")),
        restored: yield* readStored
      }
    }).pipe(Effect.provide(service))
  }).pipe(Effect.scoped)

const sorted = (...lines: ReadonlyArray<string>) => lines.toSorted()

/** Requests an alias at a proxied host, whose customer chooses to enter it by hand. */
const enteredByHand = Effect.gen(function* () {
  const { publish, service, update } = yield* openCloudflare({
    stored: [{ ...storedAlias, content: former, proxied: true, ttl: 1 }, storedMx]
  })
  return yield* Effect.gen(function* () {
    const { key } = yield* issueKey()
    const connection = yield* createTestConnection(key, { domain: "example.com", records: [alias] })
    const { command, created, id, read, waitForState } = connection
    const removed = created.plan.changes.filter(
      ({ action, before }: any) => action === "delete" && before.type !== "MX"
    )
    expect(new Set(removed.map(({ before }: any) => before.proxied))).toEqual(new Set([true]))
    yield* command("authorization", { method: "manual" })
    const readRecords = Effect.flatMap(get(`/v1/connections/${id}/records`, key), jsonOf)
    yield* command("recheck")
    const before = yield* eventually(Effect.filterOrFail(readRecords, ({ toRemove }) => toRemove !== undefined))
    expect(before.records.map(describeObservation)).toEqual([
      "shop CNAME different proxied",
      "_domain-connection TXT missing"
    ])
    expect(before.toRemove.map(({ type }: any) => type)).toEqual(["MX"])
    const challenge = before.records.at(-1).expected
    yield* update([storedAlias, { name: challenge.host, type: "TXT", content: `"${challenge.value}"` }])
    yield* publish
    yield* command("recheck")
    yield* waitForState("active")
    expect((yield* readRecords).toRemove ?? []).toEqual([])
    yield* command("disconnect")
    yield* command("authorization", { method: "manual" })
    const { plan } = yield* eventually(Effect.filterOrFail(read, ({ plan }) => plan !== undefined))
    return plan.changes.map(({ action, after, before }: any) => `${action} ${(after ?? before).type}`)
  }).pipe(Effect.provide(service))
}).pipe(Effect.scoped)

describeIfPossible("at Cloudflare", missingVendorData, () => {
  describeLab("by hand", (live) => {
    live(
      "the addresses of a proxy are neither to be removed nor to be put back, and the observation says what hides the alias",
      () =>
        Effect.map(enteredByHand, (restored) => expect(restored).toEqual(["delete CNAME", "create MX", "delete TXT"]))
    )
  })

  describeLab("a connection is active over HTTP, and leaves the zone as it was", (live) => {
    const expectActive = (
      name: string,
      scenario: CloudflareScenario,
      expected: {
        readonly observed: ReadonlyArray<string>
        readonly stored: ReadonlyArray<string>
        readonly restored: ReadonlyArray<string>
      }
    ) =>
      live(name, () =>
        Effect.map(connected(scenario), ({ observed, restored, stored }) =>
          expect({ observed, restored, stored }).toEqual({
            observed: [...expected.observed],
            restored: sorted(...expected.restored),
            stored: sorted(...expected.stored)
          })
        )
      )

    const website = [`shop CNAME ${outside} proxied`, "shop MX mx1.mailprov.net", "shop TXT kept=1"]

    expectActive(
      "where a token stands beside a proxied CNAME, an MX and a text",
      { stored: [{ ...storedAlias, proxied: true, ttl: 1 }, storedMx, storedText], desired: [token] },
      { observed: ["shop TXT present"], stored: [...website, "shop TXT platform-verify=1"], restored: website }
    )

    expectActive(
      "where an MX and a token are written beside a proxied CNAME",
      { stored: [{ ...storedAlias, proxied: true, ttl: 1 }], desired: [mx, token] },
      {
        observed: ["shop MX present", "shop TXT present"],
        stored: [`shop CNAME ${outside} proxied`, "shop MX mx1.mailprov.net", "shop TXT platform-verify=1"],
        restored: [`shop CNAME ${outside} proxied`]
      }
    )

    expectActive(
      "where the wanted CNAME stays proxied beside MX and text",
      { stored: [{ ...storedAlias, proxied: true, ttl: 1 }, storedMx, storedText], desired: [alias] },
      { observed: ["shop CNAME present proxied"], stored: website, restored: website }
    )

    expectActive(
      "where wanted addresses stay proxied",
      {
        stored: [
          { name: "shop", type: "A", content: "192.0.2.7", proxied: true, ttl: 1 },
          { name: "shop", type: "AAAA", content: "2001:db8::7", proxied: true, ttl: 1 }
        ],
        desired: [
          { host: "shop", type: "A", value: "192.0.2.7" },
          { host: "shop", type: "AAAA", value: "2001:db8::7" },
          token
        ]
      },
      {
        observed: ["shop A present proxied", "shop AAAA present proxied", "shop TXT present"],
        stored: ["shop A 192.0.2.7 proxied", "shop AAAA 2001:db8::7 proxied", "shop TXT platform-verify=1"],
        restored: ["shop A 192.0.2.7 proxied", "shop AAAA 2001:db8::7 proxied"]
      }
    )

    expectActive(
      "where a wanted CNAME replaces a proxied one",
      { stored: [{ ...storedAlias, content: former, proxied: true, ttl: 1 }], desired: [alias] },
      {
        observed: ["shop CNAME present"],
        stored: [`shop CNAME ${outside}`],
        restored: [`shop CNAME ${former} proxied`]
      }
    )

    expectActive(
      "where the wanted CNAME is flattened by its own setting, and MX and text stand beside it",
      { stored: [{ ...storedAlias, settings: { flatten_cname: true } }, storedMx, storedText], desired: [alias] },
      {
        observed: ["shop CNAME present cname_flattened"],
        stored: [`shop CNAME ${outside} flattened`, "shop MX mx1.mailprov.net", "shop TXT kept=1"],
        restored: [`shop CNAME ${outside} flattened`, "shop MX mx1.mailprov.net", "shop TXT kept=1"]
      }
    )

    expectActive(
      "where a CNAME that was flattened gets another target",
      {
        stored: [{ ...storedAlias, content: former, settings: { flatten_cname: true } }],
        desired: [alias]
      },
      {
        observed: ["shop CNAME present"],
        stored: [`shop CNAME ${outside}`],
        restored: [`shop CNAME ${former} flattened`]
      }
    )

    expectActive(
      "where the zone flattens all CNAMEs, and an MX stands beside the new one",
      { stored: [storedMx], desired: [alias], flattensAll: true },
      {
        observed: ["shop CNAME present cname_flattened"],
        stored: [`shop CNAME ${outside}`, "shop MX mx1.mailprov.net"],
        restored: ["shop MX mx1.mailprov.net"]
      }
    )

    expectActive(
      "where the zone flattens all CNAMEs, and an MX and a token are written beside one that is there",
      { stored: [storedAlias], desired: [mx, token], flattensAll: true },
      {
        observed: ["shop MX present", "shop TXT present"],
        stored: [`shop CNAME ${outside}`, "shop MX mx1.mailprov.net", "shop TXT platform-verify=1"],
        restored: [`shop CNAME ${outside}`]
      }
    )

    expectActive(
      "where the zone flattens all CNAMEs, and the wanted one stays proxied beside MX and text",
      {
        stored: [{ ...storedAlias, proxied: true, ttl: 1 }, storedMx, storedText],
        desired: [alias],
        flattensAll: true
      },
      { observed: ["shop CNAME present proxied"], stored: website, restored: website }
    )

    expectActive(
      "where a token is written beside a CNAME whose target is in the same zone",
      {
        stored: [
          { ...storedAlias, content: "web.example.com" },
          { name: "web", type: "A", content: "192.0.2.8" }
        ],
        desired: [token]
      },
      {
        observed: ["shop TXT present"],
        stored: ["shop CNAME web.example.com", "shop TXT platform-verify=1", "web A 192.0.2.8"],
        restored: ["shop CNAME web.example.com", "web A 192.0.2.8"]
      }
    )

    const empty = "empty.hostprov.net"
    for (const found of [[], [{ ...storedAlias, content: empty }]])
      expectActive(
        `where the zone flattens all CNAMEs, and the target has no addresses: ${found.length} stored before`,
        { stored: [...found, storedMx], desired: [{ ...alias, value: empty }], flattensAll: true },
        {
          observed: ["shop CNAME present cname_flattened"],
          stored: [`shop CNAME ${empty}`, "shop MX mx1.mailprov.net"],
          restored: [...found.map(() => `shop CNAME ${empty}`), "shop MX mx1.mailprov.net"]
        }
      )

    for (const [what, content, more] of [
      ["has addresses", "web.example.com", [{ name: "web", type: "A", content: "192.0.2.8" }]],
      ["is a CNAME", "web.example.com", [{ name: "web", type: "CNAME", content: outside }]],
      ["is proxied", "web.example.com", [{ name: "web", type: "A", content: "192.0.2.8", proxied: true, ttl: 1 }]],
      ["is the apex", "example.com", [{ name: "@", type: "A", content: "192.0.2.8" }]]
    ] as const) {
      const lines = more.map((record) => {
        const { name, type } = record
        return `${name} ${type} ${record.content}${"proxied" in record ? " proxied" : ""}`
      })
      expectActive(
        `where the target of the CNAME is in the same zone: it ${what}`,
        { stored: [...more, storedMx], desired: [{ ...alias, value: content }] },
        {
          observed: ["shop CNAME present cname_flattened"],
          stored: [...lines, `shop CNAME ${content}`, "shop MX mx1.mailprov.net"],
          restored: [...lines, "shop MX mx1.mailprov.net"]
        }
      )
    }

    expectActive(
      "where the CNAME is at the apex, beside MX and text",
      {
        stored: [
          { ...storedMx, name: "@" },
          { ...storedText, name: "@" }
        ],
        desired: [{ ...alias, host: "@" }]
      },
      {
        observed: ["@ CNAME present cname_flattened"],
        stored: [`@ CNAME ${outside}`, "@ MX mx1.mailprov.net", "@ TXT kept=1"],
        restored: ["@ MX mx1.mailprov.net", "@ TXT kept=1"]
      }
    )

    expectActive(
      "where the CNAME at the apex stays proxied",
      {
        stored: [{ ...storedAlias, name: "@", proxied: true, ttl: 1 }],
        desired: [{ ...alias, host: "@" }]
      },
      {
        observed: ["@ CNAME present proxied"],
        stored: [`@ CNAME ${outside} proxied`],
        restored: [`@ CNAME ${outside} proxied`]
      }
    )
  })
})
