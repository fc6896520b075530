import { expect, test } from "bun:test"
import { Either, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { parse } from "yaml"
import { applyTemplate, type TemplatedEntry } from "../../src/domainConnect/applyTemplate.ts"
import { parseTemplate } from "../../src/domainConnect/Template.ts"
import { isSignatureOf, parsePublicKey } from "../../src/domainConnect/signature.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { domainConnectData, missingDomainConnectData, readTemplate } from "./domainConnectData.ts"
import { specificationKey } from "./specificationKey.ts"

const SuiteEntry = Schema.Struct({
  type: Schema.String,
  name: Schema.String,
  data: Schema.String,
  ttl: Schema.optional(Schema.Number),
  _dc: Schema.optional(
    Schema.Struct({
      id: Schema.String,
      providerId: Schema.String,
      serviceId: Schema.String,
      host: Schema.String,
      essential: Schema.Literal("Always", "OnApply")
    })
  )
})
type SuiteEntry = typeof SuiteEntry.Type

const Suite = Schema.Struct({
  tests: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      description: Schema.String,
      input: Schema.Struct({
        provider_id: Schema.String,
        service_id: Schema.String,
        zone_records: Schema.Array(SuiteEntry),
        domain: Schema.String,
        host: Schema.NullOr(Schema.String),
        params: Schema.Record({ key: Schema.String, value: Schema.String }),
        multi_aware: Schema.optional(Schema.Boolean),
        unique_id: Schema.optional(Schema.String),
        qs: Schema.optional(Schema.String),
        sig: Schema.optional(Schema.String)
      }),
      expect: Schema.Struct({
        new_count: Schema.optional(Schema.Number),
        delete_count: Schema.optional(Schema.Number),
        records: Schema.optional(Schema.Array(SuiteEntry)),
        exception: Schema.optional(Schema.String)
      })
    })
  )
})

const applyTo = (zone: ReadonlyArray<TemplatedEntry>, records: ReadonlyArray<object>) => {
  const names = { providerId: "platform.example", providerName: "P", serviceId: "website", serviceName: "Website" }
  const template = Either.getOrThrow(parseTemplate(JSON.stringify({ ...names, records })))
  const use = { domain: "shop.example", host: "", variables: {} }
  return Either.getOrThrow(applyTemplate(template, zone, use, { redirectEntries: [] }))
}

const spfm = (spfRules: string) => ({ type: "SPFM", host: "@", spfRules })

test("the SPFM records of a name become one SPF record, with each rule once", () => {
  const old = { type: "TXT", name: "shop.example", data: "v=spf1 mx -all", ttl: 60 }
  const records = [spfm("include:a.example mx"), spfm("include:b.example Include:A.example")]
  expect(applyTo([], records).added.map(({ data }) => data)).toEqual([
    "v=spf1 include:a.example mx include:b.example ~all"
  ])
  const { added, removed } = applyTo([old], records)
  expect([added.map(({ data }) => data), removed]).toEqual([
    ["v=spf1 mx include:a.example include:b.example -all"],
    [old]
  ])
})

test("a record of several groups is added once, and one in another spelling is there already", () => {
  const address = { type: "AAAA", host: "@", pointsTo: "2001:DB8::0:1", ttl: 60 }
  const records = [
    address,
    { ...address, groupId: "more" },
    { type: "CAA", host: "@", data: "0 ISSUE ca.example", ttl: 60 }
  ]
  const { added } = applyTo([], records)
  expect(added.map(({ data }) => data)).toEqual(["2001:db8::1", '0 issue "ca.example"'])
  expect(applyTo(added, records)).toEqual({ added: [], removed: [] })
})

/** The suite's server for redirects. */
const redirectEntries = [
  { type: "A", data: "127.0.0.1", ttl: 600 },
  { type: "AAAA", data: "::1", ttl: 600 }
]

const toFull = ({ _dc, name, ...entry }: SuiteEntry, domain: string): TemplatedEntry => ({
  ...entry,
  name: name === "@" ? domain : `${name}.${domain}`,
  ...(_dc === undefined ? {} : { provenance: _dc })
})

/** In the order of the suite, without members that a type does not have. */
const sorted = (entries: ReadonlyArray<TemplatedEntry>) =>
  entries
    .map(({ data, name, provenance, ttl, type }) => JSON.stringify({ type, name, data, ttl, provenance }))
    .toSorted()

describeIfPossible("the suite of Domain Connect for applying templates", missingDomainConnectData, () => {
  const file = `${domainConnectData}apply_template_tests.yaml`
  const { tests } = existsSync(file)
    ? Schema.decodeUnknownSync(Suite)(parse(readFileSync(file, "utf8")))
    : { tests: [] }

  for (const { description, expect: expected, id, input } of tests)
    test(`${id}: ${description}`, () => {
      const domain = input.domain.toLowerCase()
      const zone = input.zone_records.map((entry) => toFull(entry, domain))
      if (input.qs !== undefined)
        expect(isSignatureOf(input.qs, input.sig ?? "", parsePublicKeyOrThrow(specificationKey))).toBe(true)
      const instance = input.multi_aware === true ? (input.unique_id ?? "<test only: random>") : undefined
      const result = applyTemplate(
        readTemplate(input.provider_id.toLowerCase(), input.service_id),
        zone,
        { domain: input.domain, host: (input.host ?? "").toLowerCase(), variables: input.params },
        { instance, redirectEntries }
      )
      if (expected.exception !== undefined)
        return expect(Either.getOrThrow(Either.flip(result))).toEqual({ code: "host_required" })
      const { added, removed } = Either.getOrThrow(result)
      expect([added.length, removed.length]).toEqual([expected.new_count ?? 0, expected.delete_count ?? 0])
      const after = [...zone.filter((entry) => !removed.includes(entry)), ...added]
      expect(sorted(after)).toEqual(sorted((expected.records ?? []).map((entry) => toFull(entry, domain))))
    })
})

const parsePublicKeyOrThrow = (texts: ReadonlyArray<string>) => {
  const key = parsePublicKey(texts)
  if (key._tag === "None") throw new Error("the key is not complete")
  return key.value
}
