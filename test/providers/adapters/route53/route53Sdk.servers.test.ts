import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeIfPossible } from "../../../support/describeIfPossible.ts"
import { live } from "../../../support/effectTest.ts"
import { judges, makeVendorHosts, vendorHostsUnavailableReason } from "../../../support/vendors/VendorHosts.ts"
import { missingVendorData } from "../../../support/vendors/vendorData.ts"
import { planFrom, resolvedIntentOf, sendWrites } from "../AdapterUnderTest.ts"
import { makeFakeRoute53, validKey } from "./FakeRoute53.ts"
import { identity, makeFakeSts } from "./FakeSts.ts"
import { awsNameServers } from "./route53State.ts"
import { clientOf, makeFake, zoneId, zoneIn, zoneName, zoneRequest } from "./route53UnderTest.ts"

const host = "route53.amazonaws.com"

/** AWS's SDK at a fake that listens as the vendor's host. */
const makeSdk = Effect.gen(function* () {
  const environment = yield* makeVendorHosts([host])
  const fake = yield* makeFake([], environment.listener(host))
  const run = (operation: string, parameters: object, { accessKeyId, secretAccessKey } = validKey) =>
    environment.run([process.execPath, `${judges}route53.js`, operation, JSON.stringify(parameters)], {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey
    })
  const sdk = (operation: string, parameters: object) =>
    Effect.map(run(operation, parameters), ({ exitCode, stderr, stdout }) => {
      expect([exitCode, stderr]).toEqual([0, ""])
      return JSON.parse(stdout)
    })
  return { fake, run, sdk }
})

/** For the settings of the SDK; it goes with the scope. */
const makeDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "aws-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
)

/** The parameters of ChangeResourceRecordSets. */
const change = (...changes: ReadonlyArray<readonly [action: string, set: object]>) => ({
  HostedZoneId: zoneId,
  ChangeBatch: { Changes: changes.map(([Action, ResourceRecordSet]) => ({ Action, ResourceRecordSet })) }
})

const set = (host: string, Type: string, TTL: number, ...values: ReadonlyArray<string>) => ({
  Name: `${host}${zoneName}.`,
  Type,
  TTL,
  ResourceRecords: values.map((Value) => ({ Value }))
})

const unavailable =
  missingVendorData ?? vendorHostsUnavailableReason(`${judges}node_modules/@aws-sdk/client-route-53/package.json`)

describeIfPossible("AWS's SDK", unavailable, () => {
  live("finds the zone, and creates, lists, changes and deletes a set", () =>
    Effect.gen(function* () {
      const { fake, run, sdk } = yield* makeSdk
      const before = zoneIn(fake.state()).sets
      const { HostedZones } = yield* sdk("ListHostedZonesByName", { DNSName: zoneName })
      expect(HostedZones).toMatchObject([{ Id: `/hostedzone/${zoneId}`, Name: `${zoneName}.` }])
      const { DelegationSet } = yield* sdk("GetHostedZone", { Id: HostedZones[0].Id })
      expect(DelegationSet.NameServers).toEqual(awsNameServers)

      const [old, next] = [set("*.", "A", 60, "192.0.2.1"), set("*.", "A", 300, "192.0.2.1", "192.0.2.2")]
      const { ChangeInfo } = yield* sdk("ChangeResourceRecordSets", change(["CREATE", old]))
      expect(ChangeInfo.Status).toBe("PENDING")
      yield* sdk("ChangeResourceRecordSets", change(["UPSERT", next]))
      const listed = yield* sdk("ListResourceRecordSets", { HostedZoneId: zoneId, StartRecordName: `*.${zoneName}` })
      expect(listed.ResourceRecordSets).toEqual([{ ...next, Name: `\\052.${zoneName}.` }])

      const refused = yield* run("ChangeResourceRecordSets", change(["DELETE", old]))
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("InvalidChangeBatch")])
      expect(refused.stderr).toContain("do not match the current values")
      const stranger = yield* run("ListHostedZonesByName", {}, { ...validKey, secretAccessKey: "wrong" })
      expect([stranger.exitCode, stranger.stderr]).toEqual([1, expect.stringContaining("SignatureDoesNotMatch")])

      yield* sdk("ChangeResourceRecordSets", change(["DELETE", next]))
      expect(zoneIn(fake.state()).sets).toEqual(before)
    })
  )

  live("writes records that the adapter reads, and reads those that the adapter writes", () =>
    Effect.gen(function* () {
      const { fake, sdk } = yield* makeSdk
      const texts = ['"say \\"hi\\" & <go>" "\\303\\244"']
      const alias = { HostedZoneId: "Z2FDTNDATAQYW2", DNSName: "d1.cloudfront.net.", EvaluateTargetHealth: false }
      yield* sdk(
        "ChangeResourceRecordSets",
        change(
          ["CREATE", set("", "TXT", 300, ...texts)],
          ["CREATE", set("_sip._tcp.", "SRV", 300, "10 20 5060 sip.example.net")],
          ["CREATE", set("www6.", "AAAA", 300, "2001:db8::1")],
          ["CREATE", set("team.", "NS", 300, "ns1.example.net.", "ns2.example.net.")],
          ["CREATE", set("", "CAA", 300, '0 issue "ca.example.net; account=1"')],
          ["CREATE", { Name: `cdn.${zoneName}`, Type: "A", AliasTarget: alias }],
          ["CREATE", { ...set("www.", "A", 60, "192.0.2.1"), SetIdentifier: "blue", Weight: 10 }]
        )
      )

      // Only what runs at the vendor's host trusts the certificate there.
      const plainFake = yield* makeFakeRoute53(fake.state())
      const opened = yield* clientOf(plainFake).openZone(zoneRequest)
      const snapshot = yield* opened.read
      const read = snapshot.zone.records.filter(({ host, type }) => host !== "@" || (type !== "NS" && type !== "SOA"))
      expect(read).toEqual([
        { host: "@", type: "CAA", ttl: 300, value: '0 issue "ca.example.net; account=1"' },
        { host: "@", type: "TXT", ttl: 300, value: 'say "hi" & <go>ä' },
        { host: "_sip._tcp", type: "SRV", ttl: 300, priority: 10, value: "20 5060 sip.example.net" },
        { host: "cdn", type: "A", ttl: 60, value: "d1.cloudfront.net.", locked: "fixed" },
        { host: "team", type: "NS", ttl: 300, value: "ns1.example.net" },
        { host: "team", type: "NS", ttl: 300, value: "ns2.example.net" },
        { host: "www", type: "A", ttl: 60, value: "192.0.2.1", locked: "fixed" },
        { host: "www6", type: "AAAA", ttl: 300, value: "2001:db8::1" }
      ])

      const desired = [
        "@ 300 TXT grün & <blau>",
        "*.shop 300 CNAME shops.example.net",
        "mail 300 MX 5 mail.example.net",
        "mail6 300 AAAA 2001:db8::2",
        "crew 300 NS ns3.example.net",
        'secure 300 CAA 0 issue "letsencrypt.org"'
      ]
      const intent = resolvedIntentOf(zoneName, { desired })
      yield* sendWrites(snapshot, planFrom(snapshot, intent, opened).changes, opened)
      fake.update(plainFake.state)
      const { ResourceRecordSets } = yield* sdk("ListResourceRecordSets", { HostedZoneId: zoneId })
      expect(ResourceRecordSets.filter((set: SetName) => !isOfZone(set))).toEqual([
        set("", "CAA", 300, '0 issue "ca.example.net; account=1"'),
        set("", "TXT", 300, ...texts, '"gr\\303\\274n & <blau>"'),
        set("_sip._tcp.", "SRV", 300, "10 20 5060 sip.example.net"),
        { Name: `cdn.${zoneName}.`, Type: "A", AliasTarget: alias },
        set("crew.", "NS", 300, "ns3.example.net."),
        set("mail.", "MX", 300, "5 mail.example.net."),
        set("mail6.", "AAAA", 300, "2001:db8::2"),
        set("secure.", "CAA", 300, '0 issue "ca.example.net; account=1"', '0 issue "letsencrypt.org"'),
        set("\\052.shop.", "CNAME", 300, "shops.example.net."),
        set("team.", "NS", 300, "ns1.example.net.", "ns2.example.net."),
        { ...set("www.", "A", 60, "192.0.2.1"), SetIdentifier: "blue", Weight: 10 },
        set("www6.", "AAAA", 300, "2001:db8::1")
      ])
    })
  )

  live("assumes a role with its external id only, as the service does, and uses the session", () =>
    Effect.gen(function* () {
      const hosts = [host, "sts.us-east-1.amazonaws.com"] as const
      const environment = yield* makeVendorHosts(hosts)
      yield* makeFake([], environment.listener(hosts[0]))
      const roleArn = "arn:aws:iam::222222222222:role/domain-connection"
      yield* makeFakeSts(
        { [roleArn]: { trusts: (externalId) => externalId === "con_1" } },
        environment.listener(hosts[1])
      )
      const directory = yield* makeDirectory
      const listAs = (externalId: string) => {
        const config = join(directory, externalId)
        const { accessKeyId, secretAccessKey } = identity
        writeFileSync(
          config,
          [
            "[profile operator]",
            `aws_access_key_id = ${accessKeyId}`,
            `aws_secret_access_key = ${Redacted.value(secretAccessKey)}`,
            "[profile customer]",
            `role_arn = ${roleArn}`,
            `external_id = ${externalId}`,
            "source_profile = operator",
            "region = us-east-1"
          ].join("\n")
        )
        const parameters = JSON.stringify({ DNSName: zoneName })
        return environment.run([process.execPath, `${judges}route53.js`, "ListHostedZonesByName", parameters], {
          AWS_CONFIG_FILE: config,
          AWS_PROFILE: "customer"
        })
      }
      const allowed = yield* listAs("con_1")
      expect([allowed.exitCode, allowed.stderr]).toEqual([0, ""])
      expect(JSON.parse(allowed.stdout).HostedZones).toMatchObject([{ Name: `${zoneName}.` }])
      const denied = yield* listAs("con_2")
      expect([denied.exitCode, denied.stderr]).toEqual([1, expect.stringContaining("AccessDenied")])
    })
  )
})

interface SetName {
  readonly Name: string
  readonly Type: string
}

const isOfZone = ({ Name, Type }: SetName) => Name === `${zoneName}.` && (Type === "NS" || Type === "SOA")
