import { expect } from "bun:test"
import { Effect, Either, Exit, Fiber, Layer, Option, TestClock } from "effect"
import type { Message } from "../../../src/dns/wire/Message.ts"
import { Delegations } from "../../../src/dns/zone/Delegations.ts"
import { CachedResolver, Resolver } from "../../../src/dns/zone/Resolver.ts"
import { ZoneReader } from "../../../src/dns/zone/ZoneReader.ts"
import type { ZoneRecord } from "../../../src/domain/DnsRecord.ts"
import { DomainName } from "../../../src/domain/DomainName.ts"
import { type IntentRequest, resolveIntent } from "../../../src/domain/Intent.ts"
import { FactResolver } from "../../../src/lifecycle/plan/FactResolver.ts"
import { ZoneSurvey } from "../../../src/lifecycle/plan/ZoneSurvey.ts"
import { Providers } from "../../../src/providers/Providers.ts"
import { effect, live } from "../../support/effectTest.ts"
import { ScriptedInternet } from "../../support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../../support/lab/ScriptedTopology.ts"
import { drop, staleZone } from "../../support/lab/dnsFaults.ts"
import { describeChange } from "../../support/planFixtures.ts"
import { scriptedDns } from "../../support/scriptedDns.ts"

/** A bakery with mail, and the companies whose names stand in its zone. */
const internet: InternetSpec = {
  zones: {
    "bakery.com": {
      nameServers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
      records: `@      3600 MX    10 mx.mailer.org.
                @      300  TXT   "v=spf1 include:_spf.mailer.org ~all"
                _dmarc 300  CNAME bakery.dmarc.guard.org.
                www    300  CNAME shops.store.org.`
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

/** A survey over a DNS, with the providers of the catalogue. */
const surveying = <E, R>(dns: Layer.Layer<Delegations | ZoneReader | CachedResolver, E, R>) =>
  ZoneSurvey.layer.pipe(Layer.provide(Layer.merge(FactResolver.layer, Providers.layer([]))), Layer.provide(dns))

const survey = (records: IntentRequest["records"], prepare: (internet: ScriptedInternet) => void = () => {}) =>
  Effect.gen(function* () {
    const scripted = yield* ScriptedInternet.make(internet)
    prepare(scripted)
    const { planned } = yield* Effect.provide(
      Effect.flatMap(ZoneSurvey, ({ survey }) => survey(intentOf(records))),
      surveying(scriptedDns(scripted))
    )
    const asked = scripted.queries.map(({ name, type }) => `${name} ${type}`)
    const resolved = scripted.queries.filter(({ server }) => server === "resolver.test")
    return { planned, asked: new Set(asked), resolved }
  })

const spf = { host: "@", type: "TXT", value: "v=spf1 include:news.mailer.org -all" } as const

live("a survey follows the includes of what is there and of what is wanted", () =>
  Effect.gen(function* () {
    const { planned } = yield* survey([spf])
    const { changes, unanswered, warnings } = Either.getOrThrow(planned)
    expect(changes.map(describeChange)).toEqual([
      "update | @ 300 TXT v=spf1 include:_spf.mailer.org ~all | @ 300 TXT v=spf1 include:_spf.mailer.org include:news.mailer.org ~all"
    ])
    expect({ unanswered, warnings }).toEqual({ unanswered: [], warnings: ["spf_record_merged"] })
  })
)

live("an include that nobody answers is not known", () =>
  Effect.gen(function* () {
    const { planned } = yield* survey([spf], (scripted) => scripted.script("ns.mailer.org", drop))
    const { warnings } = Either.getOrThrow(planned)
    expect(warnings).toEqual(["spf_record_merged", "spf_lookup_unknown"])
  })
)

live("an include that does not exist is broken", () =>
  Effect.gen(function* () {
    const { planned } = yield* survey([{ ...spf, value: "v=spf1 include:gone.mailer.org -all" }])
    expect(Either.getOrThrow(planned).warnings).toEqual(["spf_record_merged", "spf_include_broken"])
  })
)

live("a DMARC policy that is hosted elsewhere is read there and kept", () =>
  Effect.gen(function* () {
    const { planned } = yield* survey([{ host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }])
    const { changes, effectiveIntent, warnings } = Either.getOrThrow(planned)
    expect({ changes, warnings }).toEqual({ changes: [], warnings: ["dmarc_existing_preserved"] })
    expect(effectiveIntent.records.map(({ type, value }) => [type, value])).toEqual([
      ["CNAME", "bakery.dmarc.guard.org"]
    ])
  })
)

live("a DMARC policy that cannot be read where it is hosted is not replaced", () =>
  Effect.gen(function* () {
    const records = [{ host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" }] as const
    const { planned } = yield* survey(records, (scripted) => scripted.script("ns.guard.org", drop))
    expect(Either.flip(planned)).toMatchObject(
      Either.right({ code: "discovery_timeout", pointer: "/intent/records/0" })
    )
  })
)

live("the CAA of a target counts for the name that leads there", () =>
  Effect.gen(function* () {
    const { planned } = yield* survey([
      { host: "@", type: "CAA", value: '0 issue "letsencrypt.org"' },
      { host: "www", type: "CNAME", value: "shops.store.org" }
    ])
    expect(Either.getOrThrow(planned).warnings).toContain("caa_blocks_issuance")
  })
)

live("nothing beyond the zone is asked where the plan does not depend on it", () =>
  Effect.gen(function* () {
    const { asked } = yield* survey([{ host: "shop", type: "A", value: "11.0.12.1" }])
    expect([...asked].filter((question) => /mailer|guard|store|CAA/.test(question))).toEqual([])
  })
)

live("a host is read whatever its name means to JavaScript", () =>
  Effect.gen(function* () {
    const { planned } = yield* survey([{ host: "__proto__", type: "A", value: "11.0.12.1" }], (scripted) =>
      scripted.write("bakery.com", "__proto__", "A", ["11.0.12.1"], 3600)
    )
    expect(Either.getOrThrow(planned).changes.map(describeChange)).toEqual([])
  })
)

live("what is known of the zone beside its records is warned of in the order of the contract", () =>
  Effect.gen(function* () {
    const { planned } = yield* survey([spf], (scripted) =>
      scripted.script(
        "bob.ns.cloudflare.com",
        staleZone("bakery.com", '@ TXT "v=spf1 include:_spf.mailer.org ~all"\n@ TXT "old"')
      )
    )
    expect(Either.getOrThrow(planned).warnings).toEqual(["name_servers_disagree", "spf_record_merged"])
  })
)

live("an include is followed along an alias that the intent itself brings", () =>
  Effect.gen(function* () {
    const { planned } = yield* survey([
      { host: "@", type: "TXT", value: "v=spf1 include:spf.bakery.com -all" },
      { host: "spf", type: "CNAME", value: "news.mailer.org" }
    ])
    const { unanswered, warnings } = Either.getOrThrow(planned)
    expect({ unanswered, warnings }).toEqual({ unanswered: [], warnings: ["spf_record_merged"] })
  })
)

live("what would take more than 128 questions is not known", () =>
  Effect.gen(function* () {
    const sites = Array.from({ length: 150 }, (_, index) => ({
      host: `site${index}`,
      type: "A" as const,
      value: "11.0.12.1"
    }))
    const { planned, resolved } = yield* survey([{ host: "@", type: "CAA", value: '0 issue "ca.test"' }, ...sites])
    expect(Either.getOrThrow(planned).warnings).toContain("caa_lookup_unknown")
    expect(new Set(resolved.filter(({ type }) => type === "CAA").map(({ name }) => name)).size).toBe(128)
  })
)

/** A survey of a zone that is known at once, while nothing else is but what is answered to these questions. */
const surveyBeside = (records: ReadonlyArray<ZoneRecord>, resolve: (name: string) => Effect.Effect<Message>) => {
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
    Layer.succeed(Delegations, { find: () => Effect.succeed(delegation) }),
    Layer.mock(ZoneReader, { read: () => Effect.succeed({ zone, hasDisagreement: false }) }),
    Layer.provide(CachedResolver.layer, Layer.succeed(Resolver, { resolve: ({ name }) => resolve(name) }))
  )
  return ZoneSurvey.pipe(
    Effect.flatMap(({ survey }) => survey(intentOf([spf]))),
    Effect.map(({ planned }) => Either.map(planned, ({ warnings }) => warnings)),
    Effect.provide(surveying(dns))
  )
}

const spfHere = { host: "@", type: "TXT", ttl: 300, value: "v=spf1 include:0.chain.org ~all" }

effect("resolvers that never answer are waited for five seconds while the zone is read, and five after", () =>
  Effect.gen(function* () {
    const surveying = yield* Effect.fork(surveyBeside([spfHere], () => Effect.never))
    yield* TestClock.adjust("10 seconds")
    expect<unknown>(yield* Fiber.poll(surveying)).toEqual(
      Option.some(Exit.succeed(Either.right(["spf_record_merged", "spf_lookup_unknown"])))
    )
  })
)

/** Each policy includes another one. */
const endless = (name: string): Effect.Effect<Message> => {
  const value = `v=spf1 include:${Number.parseInt(name) + 1 || 1}.chain.org -all`
  const answer = { rcode: 0, aa: false, tc: false, ra: true, authorities: [], additionals: [] }
  return Effect.delay(Effect.succeed({ ...answer, answers: [{ name, type: "TXT", ttl: 300, value }] }), "2 seconds")
}

effect("what each answer raises anew is asked within the same five seconds", () =>
  Effect.gen(function* () {
    const surveying = yield* Effect.fork(surveyBeside([spfHere], endless))
    yield* TestClock.adjust("7 seconds")
    expect<unknown>(yield* Fiber.poll(surveying)).toEqual(
      Option.some(Exit.succeed(Either.right(["spf_record_merged", "spf_lookup_unknown"])))
    )
  })
)
