import { expect } from "bun:test"
import { Effect, Either, Exit, Fiber, Layer, Option, TestClock } from "effect"
import type { Message } from "../../../src/dns/wire/Message.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import { CachedResolver, Resolver } from "../../../src/dns/zone/Resolver.ts"
import { ZoneReader } from "../../../src/dns/zone/ZoneReader.ts"
import type { ZoneRecord } from "../../../src/domain/records/DnsRecord.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { type IntentRequest, resolveIntent } from "../../../src/domain/connection/Intent.ts"
import { PlanMaker } from "../../../src/lifecycle/plan/PlanMaker.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { effect, live } from "../../support/effectTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../../support/lab/ScriptedTopology.ts"
import { replyOf } from "../../support/lab/Zone.ts"
import { drop, staleZone } from "../../support/lab/dnsFaults.ts"
import { answerTimeout, silenceTimeout, withoutDeadline } from "../../dns/dnsFixture.ts"
import { describeChange } from "../../support/planFixtures.ts"
import { scriptedDns } from "../../support/scriptedDns.ts"

/** A bakery with mail, and the companies that its zone refers to. */
const internet: InternetSpec = {
  zones: {
    "bakery.com": {
      nameServers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
      records: `@      3600 MX    10 mx.mailer.org.
                @      300  TXT   "v=spf1 include:_spf.mailer.org ~all"
                _dmarc 300  CNAME bakery.dmarc.guard.org.
                www    300  CNAME shops.store.org.
                *.menu 300  A     11.0.12.9
                *.menu 300  MX    10 mx.mailer.org.`
    },
    "mailer.org": {
      nameServers: ["ns.mailer.org"],
      records: `_spf  300 TXT "v=spf1 include:_spf1.mailer.org -all"
                _spf1 300 TXT "v=spf1 ip4:11.0.9.0/24 -all"
                news  300 TXT "v=spf1 ip4:11.0.10.0/24 -all"`
    },
    "guard.org": {
      nameServers: ["ns.guard.org"],
      records: `bakery.dmarc 300 TXT "v=DMARC1; p=reject"`
    },
    "store.org": {
      nameServers: ["ns.store.org"],
      records: `shops 300 A   11.0.11.1
                shops 300 CAA 0 issue "ca.test"`
    }
  }
}

const intentOf = (records: IntentRequest["records"]) =>
  Either.getOrThrow(resolveIntent({ domain: "bakery.com", records }))

/** Plans over a DNS, with the providers of the catalog. */
const planMakerOver = <E, R>(dns: Layer.Layer<Delegations | ZoneReader | CachedResolver, E, R>) =>
  PlanMaker.layerWithoutDatabase.pipe(Layer.provide(Providers.layer([])), Layer.provide(dns))

/** The preview of an intent for the bakery, and the queries that it sent. */
const preview = (
  records: IntentRequest["records"],
  prepare: (internet: ScriptedInternet) => void = () => {},
  timeout = answerTimeout
) =>
  Effect.gen(function* () {
    const scripted = yield* ScriptedInternet.make(internet)
    prepare(scripted)
    const { planned } = yield* Effect.provide(
      Effect.flatMap(PlanMaker, ({ preview }) => preview(intentOf(records))),
      planMakerOver(scriptedDns(scripted, timeout))
    )
    const queries = scripted.queries.map(({ name, type }) => `${name} ${type}`)
    const resolved = scripted.queries.filter(({ server }) => server === "resolver.test")
    return { planned, queries: new Set(queries), resolved }
  })

const spf = { host: "@", type: "TXT", value: "v=spf1 include:news.mailer.org -all" } as const

live("the includes of the current and of the desired SPF record are followed", () =>
  Effect.gen(function* () {
    const { planned } = yield* preview([spf])
    const {
      plan: { changes, warnings },
      unanswered
    } = Either.getOrThrow(planned)
    expect(changes.map(describeChange)).toEqual([
      "update | @ 300 TXT v=spf1 include:_spf.mailer.org ~all | @ 300 TXT v=spf1 include:_spf.mailer.org include:news.mailer.org ~all"
    ])
    expect({ unanswered, warnings }).toEqual({ unanswered: [], warnings: ["spf_record_merged"] })
  })
)

live("an include that no server answers is unknown", () =>
  Effect.gen(function* () {
    const { planned } = yield* preview([spf], (scripted) => scripted.script("ns.mailer.org", drop), silenceTimeout)
    const { warnings } = Either.getOrThrow(planned).plan
    expect(warnings).toEqual(["spf_record_merged", "spf_lookup_unknown"])
  })
)

live(
  "a text at an apex whose servers answer every question with an alias is warned of, and the host below is planned",
  () =>
    Effect.gen(function* () {
      const aliasAtApex = replyOf("NOERROR", {
        authoritative: true,
        answers: [{ name: "bakery.com.", type: "CNAME", ttl: 300, data: "shops.store.org." }]
      })
      const { planned } = yield* preview(
        [
          { host: "@", type: "TXT", value: "connect=1" },
          { host: "shop", type: "A", value: "11.0.12.1" }
        ],
        (scripted) =>
          ["ada", "bob"].forEach((server) =>
            scripted.script(`${server}.ns.cloudflare.com`, () => aliasAtApex, { name: "bakery.com" })
          )
      )
      const { changes, warningDetails } = Either.getOrThrow(planned).plan
      expect(changes.map(describeChange)).toEqual(["create | shop 3600 A 11.0.12.1", "create | @ 3600 TXT connect=1"])
      expect(warningDetails).toContainEqual({
        code: "record_not_served",
        changes: [1],
        findings: [
          "bakery.com answers every question with a CNAME, which hides its TXT record: put addresses, or an alias of the provider, in the place of the CNAME."
        ]
      })
    })
)

live("an include that does not exist is broken", () =>
  Effect.gen(function* () {
    const { planned } = yield* preview([{ ...spf, value: "v=spf1 include:gone.mailer.org -all" }])
    expect(Either.getOrThrow(planned).plan.warnings).toEqual(["spf_record_merged", "spf_include_broken"])
  })
)

/** Why the preview of a CNAME for the bakery is refused, or `planned`. */
const refusalOf = (host: string, value: string) =>
  Effect.map(preview([{ host, type: "CNAME", value }]), ({ planned }) =>
    Either.match(planned, { onLeft: ({ code }) => code, onRight: () => "planned" })
  )

live("a wildcard that answers for its own target is refused, also where another wildcard answers for it now", () =>
  Effect.gen(function* () {
    expect([
      yield* refusalOf("*", "foo.bakery.com"),
      yield* refusalOf("*.menu", "today.menu.bakery.com"),
      yield* refusalOf("*.menu", "www.bakery.com"),
      yield* refusalOf("*", "today.menu.bakery.com")
    ]).toEqual(["cname_loop", "cname_loop", "planned", "planned"])
  })
)

live("a DMARC policy that is hosted elsewhere is read there and kept", () =>
  Effect.gen(function* () {
    const { planned } = yield* preview([{ host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }])
    const {
      effectiveIntent,
      plan: { changes, warnings }
    } = Either.getOrThrow(planned)
    expect({ changes, warnings }).toEqual({ changes: [], warnings: ["dmarc_existing_preserved"] })
    expect(effectiveIntent.records.map(({ type, value }) => [type, value])).toEqual([
      ["CNAME", "bakery.dmarc.guard.org"]
    ])
  })
)

live("a DMARC policy that cannot be read where it is hosted is not replaced", () =>
  Effect.gen(function* () {
    const records = [{ host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }] as const
    const { planned } = yield* preview(records, (scripted) => scripted.script("ns.guard.org", drop))
    expect(Either.flip(planned)).toMatchObject(
      Either.right({ code: "discovery_timeout", pointer: "/intent/records/0" })
    )
  })
)

live("the CAA records of an alias target count for the alias", () =>
  Effect.gen(function* () {
    const { planned } = yield* preview([
      { host: "@", type: "CAA", value: '0 issue "letsencrypt.org"' },
      { host: "www", type: "CNAME", value: "shops.store.org" }
    ])
    expect(Either.getOrThrow(planned).plan.warnings).toContain("caa_blocks_issuance")
  })
)

/** Previews another address of `shop.bakery.com`, which has no zone of its own; `records` are those of the bakery's zone. */
const previewMovedShop = (records: string, prepare: (internet: ScriptedInternet) => void = () => {}) =>
  Effect.gen(function* () {
    const nameServers = ["ns1.shop.bakery.com", "ns2.prov.net"]
    const spec: InternetSpec = { zones: { "bakery.com": { nameServers, records: `shop 300 A 11.0.12.9\n${records}` } } }
    const scripted = yield* ScriptedInternet.make(spec)
    prepare(scripted)
    const intent = resolveIntent({ domain: "shop.bakery.com", records: [{ host: "@", type: "A", value: "11.0.12.1" }] })
    return yield* Effect.provide(
      Effect.flatMap(PlanMaker, ({ preview }) => preview(Either.getOrThrow(intent))),
      planMakerOver(scriptedDns(scripted))
    )
  })

live("a domain below the apex of its zone may be where the mail of the zone goes", () =>
  Effect.gen(function* () {
    for (const records of ["@ 300 MX 10 shop.bakery.com.", '@ 300 TXT "v=spf1 a:shop.bakery.com -all"']) {
      const { planned } = yield* previewMovedShop(records)
      expect(Either.getOrThrow(planned).plan.warnings).toContain("mail_target_changed")
    }
    const { planned } = yield* previewMovedShop("@ 300 MX 10 mx.mailer.org.")
    expect(Either.getOrThrow(planned).plan.warnings).not.toContain("mail_target_changed")
  })
)

live("a domain below the apex of its zone is not planned while it is unknown where the mail of the zone goes", () =>
  Effect.gen(function* () {
    const failed = yield* Effect.flip(
      previewMovedShop("@ 300 MX 10 shop.bakery.com.", (scripted) =>
        ["ns1.shop.bakery.com", "ns2.prov.net"].forEach((server) =>
          scripted.script(server, drop, { name: "bakery.com", type: "MX" })
        )
      )
    )
    expect(failed).toMatchObject({
      code: "discovery_timeout",
      details: [{ message: expect.stringContaining("MX of bakery.com") }, expect.anything()]
    })
  })
)

live("a preview queries nothing outside the zone that the plan does not depend on", () =>
  Effect.gen(function* () {
    const { queries } = yield* preview([{ host: "shop", type: "A", value: "11.0.12.1" }])
    expect([...queries].filter((query) => /mailer|guard|store|CAA/.test(query))).toEqual([])
  })
)

live("a host whose name is special in JavaScript is read like any other", () =>
  Effect.gen(function* () {
    const { planned } = yield* preview([{ host: "__proto__", type: "A", value: "11.0.12.1" }], (scripted) =>
      scripted.write("bakery.com", "__proto__", "A", ["11.0.12.1"], 3600)
    )
    expect(Either.getOrThrow(planned).plan.changes.map(describeChange)).toEqual([])
  })
)

live("warnings about the zone and about the changes come in the order of the contract", () =>
  Effect.gen(function* () {
    const { planned } = yield* preview([spf], (scripted) =>
      scripted.script(
        "bob.ns.cloudflare.com",
        staleZone("bakery.com", '@ TXT "v=spf1 include:_spf.mailer.org ~all"\n@ TXT "old"')
      )
    )
    expect(Either.getOrThrow(planned).plan.warnings).toEqual(["name_servers_disagree", "spf_record_merged"])
  })
)

live("an include is followed along an alias that the intent itself creates", () =>
  Effect.gen(function* () {
    const { planned } = yield* preview([
      { host: "@", type: "TXT", value: "v=spf1 include:spf.bakery.com -all" },
      { host: "spf", type: "CNAME", value: "news.mailer.org" }
    ])
    const {
      plan: { warnings },
      unanswered
    } = Either.getOrThrow(planned)
    expect({ unanswered, warnings }).toEqual({ unanswered: [], warnings: ["spf_record_merged"] })
  })
)

live("facts that would take more than 128 queries stay unknown", () =>
  Effect.gen(function* () {
    const sites = Array.from({ length: 150 }, (_, index) => ({
      host: `site${index}`,
      type: "A" as const,
      value: "11.0.12.1"
    }))
    const { planned, resolved } = yield* withoutDeadline(
      preview([{ host: "@", type: "CAA", value: '0 issue "ca.test"' }, ...sites])
    )
    expect(Either.getOrThrow(planned).plan.warnings).toContain("caa_lookup_unknown")
    expect(new Set(resolved.filter(({ type }) => type === "CAA").map(({ name }) => name)).size).toBe(128)
  })
)

/** The warnings of a preview whose zone is read at once, while `resolve` answers all other queries. */
const previewOfKnownZone = (records: ReadonlyArray<ZoneRecord>, resolve: (name: string) => Effect.Effect<Message>) => {
  const nameServers = [{ name: "ada.ns.cloudflare.com", addresses: ["11.0.1.1"] }]
  const domain = DomainName.make("bakery.com")
  const delegation = {
    zone: domain,
    nameServers,
    parentNameServers: ["ada.ns.cloudflare.com"],
    childNameServers: ["ada.ns.cloudflare.com"],
    hasParentChildMismatch: false,
    isSigned: false
  }
  const zone = { name: domain, basis: "public_dns", records } as const
  const dns = Layer.mergeAll(
    Layer.mock(Delegations, { find: () => Effect.succeed(delegation) }),
    Layer.mock(ZoneReader, {
      read: () =>
        Effect.succeed({
          zone,
          hasDisagreement: false,
          isComplete: true,
          wildcardRRsets: [],
          recordsOutside: [],
          unanswered: []
        })
    }),
    Layer.provide(
      CachedResolver.layer,
      Layer.succeed(Resolver, { requireAvailable: () => Effect.void, resolve: ({ name }) => resolve(name) })
    )
  )
  return PlanMaker.pipe(
    Effect.flatMap(({ preview }) => preview(intentOf([spf]))),
    Effect.map(({ planned }) => Either.map(planned, ({ plan }) => plan.warnings)),
    Effect.provide(planMakerOver(dns))
  )
}

const currentSpf = { host: "@", type: "TXT", ttl: 300, value: "v=spf1 include:0.chain.org ~all" }

effect("a preview waits five seconds for silent resolvers while the zone is read, and five seconds afterwards", () =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(previewOfKnownZone([currentSpf], () => Effect.never))
    yield* TestClock.adjust("10 seconds")
    expect<unknown>(yield* Fiber.poll(fiber)).toEqual(
      Option.some(Exit.succeed(Either.right(["spf_record_merged", "spf_lookup_unknown"])))
    )
  })
)

/** Answers with an SPF policy that includes another one, without end. */
const answerEndlessSpf = (name: string): Effect.Effect<Message> => {
  const value = `v=spf1 include:${Number.parseInt(name) + 1 || 1}.chain.org -all`
  const answer = { rcode: 0, aa: false, tc: false, ra: true, authorities: [], additionals: [] }
  return Effect.delay(Effect.succeed({ ...answer, answers: [{ name, type: "TXT", ttl: 300, value }] }), "2 seconds")
}

effect("follow-up queries share the same five seconds", () =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(previewOfKnownZone([currentSpf], answerEndlessSpf))
    yield* TestClock.adjust("7 seconds")
    expect<unknown>(yield* Fiber.poll(fiber)).toEqual(
      Option.some(Exit.succeed(Either.right(["spf_record_merged", "spf_lookup_unknown"])))
    )
  })
)

/** Twenty hosts with so many texts each, all of which a CNAME would replace. */
const crowded = (texts: number): InternetSpec => ({
  zones: {
    "bakery.com": {
      nameServers: ["ada.ns.cloudflare.com"],
      records: Array.from({ length: 20 * texts }, (_, nth) => `h${nth % 20} 300 TXT "text ${nth}"`).join("\n")
    }
  }
})

const planAliases = (texts: number) =>
  Effect.gen(function* () {
    const scripted = yield* ScriptedInternet.make(crowded(texts))
    const records = Array.from({ length: 20 }, (_, nth) => ({
      host: `h${nth}`,
      type: "CNAME" as const,
      value: "web.hostprov.net"
    }))
    const { planned } = yield* Effect.provide(
      Effect.flatMap(PlanMaker, ({ preview }) => preview(intentOf(records))),
      planMakerOver(scriptedDns(scripted, answerTimeout))
    )
    return Either.match(planned, {
      onLeft: ({ code, pointer, type }) => ({ code, pointer, type }),
      onRight: ({ plan }) => plan.changes.length
    })
  })

live("a plan with more changes than anybody reads is refused, and names a record of the intent", () =>
  Effect.map(planAliases(51), (refusal) =>
    expect(refusal).toEqual({
      code: "plan_too_large",
      pointer: expect.stringMatching(/^\/intent\/records\/\d+$/),
      type: "CNAME"
    })
  )
)

live("a plan with a thousand changes is made", () =>
  Effect.map(planAliases(49), (changes) => expect(changes).toBe(1_000))
)
