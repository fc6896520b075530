import { expect, test } from "bun:test"
import { Effect, Either, Redacted, Schema } from "effect"
import { Credential, findCredentialFaults } from "../../src/domain/provider/Credential.ts"
import { makeRoute53Client } from "../../src/providers/adapters/route53/makeRoute53Client.ts"
import type { AwsIdentity } from "../../src/providers/awsRoles.ts"
import type { CatalogClientFactory } from "../../src/providers/catalog/CatalogAdapter.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { live } from "../support/effectTest.ts"
import { identity, makeFakeSts, onlyFor, type TrustingRole } from "../support/vendors/FakeSts.ts"
import { httpClientFor } from "../support/vendors/httpClientFor.ts"
import { missingVendorData } from "../support/vendors/vendorData.ts"
import { openZone, sendWrites } from "./adapters/AdapterUnderTest.ts"
import { address, createChange, makeFakeOf, underTest } from "./adapters/DescribedAdapter.ts"
import { route53 } from "./adapters/route53/route53.ts"

const roleArn = "arn:aws:iam::222222222222:role/domain-connection"
const connectionId = "con_01jd0000000000000000000001"
const foreignConnectionId = "con_01jd0000000000000000000002"

const makeClientWith =
  (awsIdentity: AwsIdentity): CatalogClientFactory =>
  (options) =>
    makeRoute53Client({ ...options, awsIdentity })

/** Opens the zone with the role at fakes of Route 53 and of STS. */
const makeRole = (trust: TrustingRole, { as = identity, lasts = 900 } = {}) =>
  Effect.gen(function* () {
    const fake = yield* makeFakeOf(route53)
    const sts = yield* makeFakeSts({ [roleArn]: trust }, { lasts })
    const adapter = { ...route53, makeClient: makeClientWith(as) }
    const subject = underTest(adapter, fake, { http: httpClientFor(fake, sts) })
    const sent = () => sts.calls().map(({ body }) => body as Readonly<Record<string, string>>)
    const open = openZone(subject, { connectionId, credential: { _tag: "aws_role", roleArn } })
    return { client: subject.client, route53: fake, sent, open }
  })

describeIfPossible("a role at AWS that the service assumes", missingVendorData, () => {
  live("is assumed with the id of the connection, for Route 53 only, and writes the zone", () =>
    Effect.gen(function* () {
      const { client, open, route53, sent } = yield* makeRole(onlyFor(connectionId))
      expect(client.credential).toBe("aws_role")
      const opened = yield* open
      yield* sendWrites(yield* opened.read, [createChange(address(1))], opened)
      expect(route53.calls().at(-1)).toMatchObject({ method: "POST", outcome: 200 })
      const [first] = sent()
      expect(first).toMatchObject({ Action: "AssumeRole", RoleArn: roleArn, ExternalId: connectionId })
      expect(JSON.parse(first?.["Policy"] ?? "").Statement).toEqual([
        { Effect: "Allow", Action: expect.arrayContaining(["route53:ChangeResourceRecordSets"]), Resource: "*" }
      ])
    })
  )

  live("of another customer is refused, though it trusts the service: each connection has its own external id", () =>
    Effect.gen(function* () {
      const { open, route53, sent } = yield* makeRole(onlyFor(foreignConnectionId))
      expect(yield* Effect.flip(open)).toMatchObject({ code: "credential_invalid" })
      expect(route53.calls()).toEqual([])
      expect(sent().map(({ ExternalId }) => ExternalId)).toEqual([connectionId])
    })
  )

  for (const [about, trusts] of [
    ["requires no external id", () => true],
    ["takes every external id of this service", (id: string) => id.startsWith("con_")]
  ] as const)
    live(`is refused if it ${about}, and nothing is read with it`, () =>
      Effect.gen(function* () {
        const { open, route53, sent } = yield* makeRole({ trusts })
        const { code, detail } = yield* Effect.flip(open)
        expect([code, detail]).toEqual(["credential_invalid", expect.stringContaining("require the external id")])
        expect(route53.calls()).toEqual([])
        expect(new Set(sent().map(({ ExternalId }) => ExternalId)).size).toBe(2)
      })
    )

  live("is assumed once for a session that lasts, and again before one ends", () =>
    Effect.gen(function* () {
      for (const [lasts, isRenewed] of [
        [900, false],
        [60, true]
      ] as const) {
        const { open, sent } = yield* makeRole(onlyFor(connectionId), { lasts })
        const opened = yield* open
        const before = sent().length
        yield* opened.read
        yield* opened.read
        expect([lasts, sent().length > before]).toEqual([lasts, isRenewed])
      }
    })
  )

  live("is not to blame if the operator's own key is wrong, which no failure repeats", () =>
    Effect.gen(function* () {
      const as = { ...identity, secretAccessKey: Redacted.make("no-such-secret") }
      const { open } = yield* makeRole(onlyFor(connectionId), { as })
      const failure = yield* Effect.flip(open)
      expect(failure).toMatchObject({ code: "provider_unavailable" })
      expect(failure.detail).not.toContain("no-such-secret")
    })
  )
})

test("a customer gives the ARN of a role, and cannot give its external id", () => {
  const decode = Schema.decodeUnknownEither(Credential, { onExcessProperty: "error" })
  expect(Either.isRight(decode({ _tag: "aws_role", roleArn }))).toBe(true)
  expect(Either.isLeft(decode({ _tag: "aws_role", roleArn, externalId: foreignConnectionId }))).toBe(true)
  expect(findCredentialFaults({ roleArn })).toEqual([])
  for (const wrong of ["domain-connection", "arn:aws:iam::222222222222:user/dns", `${roleArn} `])
    expect(findCredentialFaults({ roleArn: wrong })).toMatchObject([{ field: "roleArn" }])
})
