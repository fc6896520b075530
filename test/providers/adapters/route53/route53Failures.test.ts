import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { Change } from "../../../../src/domain/plan/Plan.ts"
import type { ZoneRequest } from "../../../../src/providers/ProviderClient.ts"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import type { VendorAnswer } from "../../../support/vendors/VendorCall.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { failureOf, sendWrites } from "../AdapterUnderTest.ts"
import {
  busy,
  errorAnswer,
  type FakeRoute53,
  makeFakeRoute53,
  readOnlyKey,
  throttled,
  validKey
} from "./FakeRoute53.ts"
import { hostedZone, type StoredHostedZone, type StoredSet } from "./route53State.ts"
import {
  clientOf,
  credentialOf,
  makeFake,
  updateZone,
  zoneId,
  zoneIn,
  zoneName,
  zoneRequest
} from "./route53UnderTest.ts"

const set = (host: string, ...values: ReadonlyArray<string>): StoredSet => ({
  name: `${host}.${zoneName}.`,
  type: "A",
  ttl: 300,
  values
})

const record = (host: string, value: string, type = "A") => ({ host, type, value, ttl: 300, optional: false })
const create = (...parameters: Parameters<typeof record>): Change => ({
  action: "create",
  after: record(...parameters),
  destructive: false
})
const update: Change = {
  action: "update",
  before: record("www", "192.0.2.1"),
  after: record("www", "192.0.2.2"),
  destructive: false
}

const open = (fake: FakeRoute53, request: Partial<ZoneRequest> = {}) =>
  clientOf(fake).openZone({ ...zoneRequest, ...request })

/** Opens and reads the zone, and then writes the changes. */
const write = (fake: FakeRoute53, changes: ReadonlyArray<Change>, request: Partial<ZoneRequest> = {}) =>
  Effect.gen(function* () {
    const opened = yield* open(fake, request)
    yield* sendWrites(yield* opened.read, changes, opened)
  })

const codeOf = (failure: { readonly _tag: string }): string =>
  failure._tag === "OutcomeUnknown" || !("code" in failure) ? failure._tag : String(failure.code)

const [unavailable, unknown] = ["provider_unavailable", "OutcomeUnknown"]
const always = (code: string) => [code, code, code]

/** An answer, and the codes of the failures while the zone is opened, read and written. */
const errors: ReadonlyArray<readonly [answer: VendorAnswer, codes: ReadonlyArray<string>]> = [
  [throttled, always("provider_rate_limited")],
  [busy, always(unavailable)],
  [errorAnswer(404, "NoSuchHostedZone", "No hosted zone found"), always("authorization_zone_mismatch")],
  [errorAnswer(403, "AccessDenied", "User is not authorized"), always("authorization_insufficient_scope")],
  [errorAnswer(403, "InvalidClientTokenId", "The token is invalid."), always("credential_invalid")],
  [errorAnswer(403, "SignatureDoesNotMatch", validKey.secretAccessKey), always("credential_invalid")],
  [errorAnswer(403, "ExpiredToken", "The token has expired"), always("credential_invalid")],
  [errorAnswer(400, "LimitsExceeded", "Too many sets"), always("account_not_entitled")],
  [errorAnswer(400, "InvalidInput", "No"), [unavailable, "provider_snapshot_failed", "apply_rejected"]],
  [errorAnswer(503, "ServiceUnavailable", "Later"), [unavailable, unavailable, unknown]],
  [{ status: 200, text: "<html><br></html>" }, [unavailable, "provider_snapshot_failed", unknown]],
  [{ status: 200, text: "<ListResourceRecordSetsResponse/>" }, [unavailable, "provider_snapshot_failed", unknown]]
]

const phases = [
  ["opening", { operation: "GET /2013-04-01/hostedzone/{Id}" }],
  ["reading", { operation: "GET /2013-04-01/hostedzone/{Id}/rrset" }],
  ["writing", { method: "POST" }]
] as const

const refusals = [
  ["Tried to create resource record set [name='www.vendorzone.com.', type='A'] but it already exists", "ZoneChanged"],
  ["Tried to delete resource record set [name='www.vendorzone.com.', type='A'] but it was not found", "ZoneChanged"],
  ["Invalid Resource Record: 'FATAL problem: InvalidCharacterString'", "apply_rejected"]
] as const

describeIfPossible("Route 53", missingVendorData, () => {
  describe("fails", () => {
    for (const [answer, codes] of errors)
      for (const [index, [phase, pattern]] of phases.entries())
        live(
          `with ${codes[index]} while ${phase}, at ${answer.status} ${/<Code>(\w+)|<\w+>/.exec(answer.text ?? "")?.[0]}`,
          () =>
            Effect.gen(function* () {
              const fake = yield* makeFake()
              fake.injectFault(pattern, { change: "not_made", answer })
              const failure = yield* Effect.flip(write(fake, [create("www", "192.0.2.1")]))
              expect(codeOf(failure)).toBe(codes[index] ?? "none")
              expect(JSON.stringify(failure) + String(failure)).not.toContain(validKey.secretAccessKey)
            })
        )

    for (const [message, code] of refusals)
      for (const answer of [
        errorAnswer(400, "InvalidChangeBatch", `[${message}]`),
        {
          status: 400,
          text: `<?xml version="1.0" encoding="UTF-8"?>\n<InvalidChangeBatch xmlns="https://route53.amazonaws.com/doc/2013-04-01/">\n<Messages>\n<Message>${message}</Message>\n</Messages>\n</InvalidChangeBatch>`
        }
      ])
        live(`with ${code} if ${message} (${answer.text?.includes("<Code>") ? "new" : "old"} form)`, () =>
          Effect.gen(function* () {
            const fake = yield* makeFake()
            fake.injectFault({ method: "POST" }, { change: "not_made", answer })
            expect(codeOf(yield* Effect.flip(write(fake, [create("www", "192.0.2.1")])))).toBe(code)
          })
        )

    for (const [about, sets] of [
      ["gained a value", [set("www", "192.0.2.1", "192.0.2.9")]],
      ["is gone", []],
      ["has another TTL", [{ ...set("www", "192.0.2.1"), ttl: 60 }]]
    ] as const)
      live(`and loses nothing if the set ${about} just before the batch arrives`, () =>
        Effect.gen(function* () {
          const fake = yield* makeFake([set("www", "192.0.2.1")])
          const changed = hostedZone(zoneName, sets)
          fake.beforeCall({ method: "POST" }, () => updateZone(fake, () => changed))
          const failure = yield* Effect.flip(write(fake, [create("a", "192.0.2.1"), update]))
          expect([codeOf(failure), zoneIn(fake.state())]).toEqual(["ZoneChanged", changed])
        })
      )

    live("with the scope that a key lacks, only when it writes", () =>
      Effect.gen(function* () {
        const fake = yield* makeFake()
        const credential = credentialOf(readOnlyKey)
        yield* Effect.flatMap(open(fake, { credential }), ({ read }) => read)
        const failure = yield* Effect.flip(write(fake, [create("www", "192.0.2.1")], { credential }))
        expect(codeOf(failure)).toBe("authorization_insufficient_scope")
      })
    )
  })

  describe("has several zones of one name", () => {
    const others: Readonly<Record<string, StoredHostedZone>> = {
      ZPRIVATE: { ...hostedZone(zoneName), isPrivate: true },
      ZLEFTBEHIND: hostedZone(zoneName, [], ["ns-1.awsdns-01.org"]),
      ZNEXT: hostedZone(`www.${zoneName}`)
    }

    live("and the public one with the delegated name servers is written", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeRoute53({ zones: { ...others, [zoneId]: hostedZone(zoneName) } })
        yield* write(fake, [create("www", "192.0.2.1")])
        expect(fake.state().zones).toMatchObject(others)
        expect(zoneIn(fake.state()).sets.at(-1)).toEqual(set("www", "192.0.2.1"))
      })
    )

    live("and none of them is opened if the delegation is to none", () =>
      Effect.gen(function* () {
        const fake = yield* makeFakeRoute53({ zones: others })
        expect(yield* failureOf(open(fake))).toBe("authorization_zone_mismatch")
      })
    )
  })

  live("keeps a zone of another service locked", () =>
    Effect.gen(function* () {
      const fake = yield* makeFakeRoute53({
        zones: { [zoneId]: { ...hostedZone(zoneName), linkedService: "servicediscovery.amazonaws.com" } }
      })
      expect(yield* failureOf(open(fake))).toBe("provider_zone_locked")
    })
  )

  live("keeps a set locked that has a setting besides its TTL and values", () =>
    Effect.gen(function* () {
      const fake = yield* makeFake([
        { ...set("www", "192.0.2.1"), healthCheckId: "abcdef11-2222-3333-4444-555555fedcba" },
        set("ftp", "192.0.2.1")
      ])
      const { zone } = yield* (yield* open(fake)).read
      expect(zone.records.filter(({ host }) => host !== "@")).toEqual([
        { host: "ftp", type: "A", ttl: 300, value: "192.0.2.1" },
        { host: "www", type: "A", ttl: 300, value: "192.0.2.1", locked: "fixed" }
      ])
      const before = zoneIn(fake.state())
      for (const change of [update, create("www", "192.0.2.9")])
        expect(codeOf(yield* Effect.flip(write(fake, [change])))).toBe("provider_record_locked")
      expect(zoneIn(fake.state())).toEqual(before)
    })
  )

  describe("gets", () => {
    live("deletions and creations only, all in one batch, also for another type", () =>
      Effect.gen(function* () {
        const fake = yield* makeFake([set("www", "192.0.2.1"), set("gone", "192.0.2.1"), set("more", "192.0.2.1")])
        yield* write(fake, [
          { action: "delete", before: record("gone", "192.0.2.1"), destructive: true },
          { ...update, after: record("www", "web.hostprov.net", "CNAME") },
          create("more", "192.0.2.2"),
          create("new", "192.0.2.2")
        ])
        const batches = fake.calls().filter(({ method }) => method === "POST")
        expect(batches).toHaveLength(1)
        const text = JSON.stringify(batches.map(({ body }) => body))
        const steps = Array.from(
          text.matchAll(/<Action>(\w+)<\/Action><ResourceRecordSet><Name>(\w+)/g),
          ([, action, host]) => `${action} ${host}`
        )
        expect(steps.toSorted()).toEqual([
          "CREATE more",
          "CREATE new",
          "CREATE www",
          "DELETE gone",
          "DELETE more",
          "DELETE www"
        ])
      })
    )

    live("as many batches as its limits of records and characters need", () =>
      Effect.gen(function* () {
        const fake = yield* makeFake()
        const hosts = Array.from({ length: 1001 }, (_, index) => create(`h${index}`, "192.0.2.1"))
        yield* write(fake, hosts)
        const texts = Array.from({ length: 9 }, (_, index) => create(`t${index}`, "x".repeat(3900), "TXT"))
        yield* write(fake, texts)
        const sizes = fake.calls().flatMap(({ body }) => (body === undefined ? [] : [(body as any).changes.length]))
        expect(sizes).toEqual([1000, 1, 8, 1])
        expect(zoneIn(fake.state()).sets).toHaveLength(2 + 1001 + 9)
      })
    )

    live("no value of more than 4,000 characters", () =>
      Effect.gen(function* () {
        const fake = yield* makeFake()
        for (const text of ["x".repeat(3970), "ä".repeat(500)])
          expect(codeOf(yield* Effect.flip(write(fake, [create("long", text, "TXT")])))).toBe("record_value_rejected")
        yield* write(fake, [create("long", "x".repeat(3900), "TXT")])
      })
    )
  })
})
