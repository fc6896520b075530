import type { HttpClient } from "@effect/platform"
import { Effect, Redacted, type Scope } from "effect"
import type { Credential } from "../../../../src/domain/provider/Credential.ts"
import { DomainName } from "../../../../src/domain/names/DomainName.ts"
import { catalog, limitsOf, unknownProvider } from "../../../../src/providers/catalog/catalog.ts"
import { makeRoute53Client } from "../../../../src/providers/adapters/route53/makeRoute53Client.ts"
import { defaultTimeouts, type Timeouts, type ZoneRequest } from "../../../../src/providers/ProviderClient.ts"
import type { FakeVendorOptions } from "../../../support/vendors/FakeVendor.ts"
import { httpClientFor } from "../../../support/vendors/httpClientFor.ts"
import { absentTypes, type DeclaredLimitations, refusedTypes, type VendorAdapterUnderTest } from "../vendorContract.ts"
import { types } from "./changeBatch.ts"
import { type FakeRoute53, makeFakeRoute53, validKey } from "./FakeRoute53.ts"
import {
  awsNameServers,
  dumpZone,
  hostedZone,
  type Route53State,
  type StoredHostedZone,
  type StoredSet,
  withLabRecords
} from "./route53State.ts"

/** The id of the zone of the tests, and its name. */
export const zoneId = "Z040120927RX9CM38HPQQ"
export const zoneName = "vendorzone.com"

export const credentialOf = ({ accessKeyId, secretAccessKey }: typeof validKey): Credential => ({
  _tag: "access_key_secret",
  accessKeyId,
  secretAccessKey: Redacted.make(secretAccessKey)
})

const developerGuide = "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide"

const route53Limits = limitsOf(catalog.find(({ provider }) => provider.id === "route53")?.provider ?? unknownProvider)

export const clientOf = (
  fake: FakeRoute53,
  { http = httpClientFor(fake), timeouts = defaultTimeouts }: { http?: HttpClient.HttpClient; timeouts?: Timeouts } = {}
) => makeRoute53Client({ http, limits: route53Limits, timeouts })

/** Asks for the zone of the tests with the valid key. */
export const zoneRequest: ZoneRequest = {
  connectionId: "con_1",
  domain: DomainName.make(zoneName),
  zone: DomainName.make(zoneName),
  nameServers: awsNameServers,
  credential: credentialOf(validKey)
}

/** A fake with the one zone. */
export const makeFake = (sets: ReadonlyArray<StoredSet> = [], options?: FakeVendorOptions) =>
  makeFakeRoute53({ zones: { [zoneId]: hostedZone(zoneName, sets) } }, options)

/** The adapter on the zone of a fake. */
export const route53UnderTest = (fake: FakeRoute53, client = clientOf(fake)): VendorAdapterUnderTest => ({
  client,
  credential: credentialOf(validKey),
  wrongCredentials: [
    credentialOf({ ...validKey, secretAccessKey: "wrong" }),
    credentialOf({ ...validKey, accessKeyId: "AKIAUNKNOWN7EXAMPLE0" }),
    credentialOf({ ...validKey, secretAccessKey: `${validKey.secretAccessKey}\n` })
  ],
  zone: zoneName,
  nameServers: awsNameServers,
  replaceSets: (records) => Effect.sync(() => updateZone(fake, (zone) => withLabRecords(zone, records))),
  dump: Effect.sync(() => dumpZone(zoneIn(fake.state()))),
  calls: fake.calls,
  limitations: route53Limitations
})

/** What Route 53 cannot store, and where that is stated. */
export const route53Limitations: DeclaredLimitations = {
  showsWritesAtOnce:
    "https://docs.aws.amazon.com/Route53/latest/APIReference/API_ListResourceRecordSets.html: This includes records that are PENDING",
  refused: [
    refusedTypes(`${developerGuide}/ResourceRecordTypes.html: supports the DNS record types`, types.join(" ")),
    {
      about: "a CNAME at the apex of the zone",
      source: "cannot_store: CNAME at the apex",
      matches: ({ host, type }) => type === "CNAME" && host === "@",
      code: "apex_cname_unsupported",
      examples: [{ host: "@", type: "CNAME", value: "shops.example.net" }]
    },
    {
      about: "NS records at a wildcard",
      source: "https://docs.aws.amazon.com/Route53/latest/APIReference/API_ResourceRecordSet.html: Name",
      matches: ({ host, type }) => type === "NS" && host.startsWith("*"),
      code: "record_type_unsupported",
      examples: [{ host: "*.team", type: "NS", value: "ns1.example.net" }]
    },
    {
      about: "values of more than 4,000 characters",
      source: "openapi/route53.openapi.json: not to exceed 4,000 characters",
      matches: ({ type, value }) => type === "TXT" && Buffer.byteLength(value) > 3900,
      code: "record_value_rejected",
      examples: [{ host: "long", type: "TXT", value: "x".repeat(4001) }]
    }
  ],
  absent: [absentTypes(`${developerGuide}/ResourceRecordTypes.html: supports the DNS record types`, types.join(" "))]
}

/** A fake with the one zone, and the adapter for it. */
export const makeRoute53UnderTest = (
  options?: FakeVendorOptions
): Effect.Effect<VendorAdapterUnderTest, never, Scope.Scope> =>
  Effect.map(makeFake([], options), (fake) => route53UnderTest(fake))

/** Changes the zone as somebody else would. */
export const updateZone = (fake: FakeRoute53, change: (zone: StoredHostedZone) => StoredHostedZone): void =>
  fake.update((state) => ({ ...state, zones: { ...state.zones, [zoneId]: change(zoneIn(state)) } }))

/** The zone as it is now. */
export const zoneIn = ({ zones }: Route53State): StoredHostedZone => zones[zoneId] ?? hostedZone(zoneName)
