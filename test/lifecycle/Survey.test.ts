import { expect } from "bun:test"
import { Effect, Either, Layer } from "effect"
import { type IntentRequest, resolveIntent } from "../../src/domain/Intent.ts"
import { Survey } from "../../src/lifecycle/Survey.ts"
import { dnsOf } from "../support/discovery.ts"
import { live } from "../support/effect.ts"
import { drop } from "../support/lab/faults.ts"
import { ScriptedInternet } from "../support/lab/ScriptedInternet.ts"
import type { InternetSpec } from "../support/lab/topology.ts"
import { inWords } from "../support/zones.ts"

/** A bakery with mail, and the companies whose names stand in its zone. */
const internet: InternetSpec = {
  zones: {
    "bakery.com": {
      nameServers: ["ada.ns.cloudflare.com"],
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

const survey = (records: IntentRequest["records"], prepare: (internet: ScriptedInternet) => void = () => {}) =>
  Effect.gen(function* () {
    const scripted = yield* ScriptedInternet.make(internet)
    prepare(scripted)
    const intent = Either.getOrThrow(resolveIntent({ domain: "bakery.com", records }))
    const { planned } = yield* Effect.provide(
      Effect.flatMap(Survey, ({ survey }) => survey(intent)),
      Layer.provide(Survey.layer, dnsOf(scripted))
    )
    const asked = scripted.queries.map(({ name, type }) => `${name} ${type}`)
    return { planned, asked: new Set(asked) }
  })

const spf = { host: "@", type: "TXT", value: "v=spf1 include:news.mailer.org -all" } as const

live("a survey follows the includes of what is there and of what is wanted", () =>
  Effect.gen(function* () {
    const { planned } = yield* survey([spf])
    const { changes, unanswered, warnings } = Either.getOrThrow(planned)
    expect(changes.map(inWords)).toEqual([
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
