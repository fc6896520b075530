import { expect, test } from "bun:test"
import { Either, Redacted } from "effect"
import type { Credential } from "../../../src/domain/provider/Credential.ts"
import { DnsRecord } from "../../../src/domain/records/DnsRecord.ts"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import { ObservationReason, RecordObservation } from "../../../src/domain/plan/RecordObservation.ts"
import {
  describeMissingRecords,
  describeProviderFailure,
  describeServerFailures
} from "../../../src/lifecycle/state/failureDetails.ts"
import { ProviderFailure } from "../../../src/providers/ProviderFailure.ts"
import { readToken } from "../../../src/providers/readToken.ts"
import { connectionFor } from "../../persistence/connectionFixtures.ts"

const domain = DomainName.make("example.com")
const question = { name: "www.example.com", type: "TXT" } as const

test("the words of a server are one sentence, with the question and without", () => {
  const server = "ns1.example.net"
  const sentences = (["timed_out", "budget_spent"] as const).flatMap((reason) =>
    describeServerFailures(
      [
        { server, reason, question },
        { server, reason }
      ],
      domain
    ).map(({ message }) => message)
  )
  expect(sentences).toEqual([
    "ns1.example.net, asked for TXT of www.example.com, did not answer",
    "ns1.example.net did not answer",
    "ns1.example.net was not asked for TXT of www.example.com, because the reading would have taken too many queries",
    "ns1.example.net was not asked, because the reading would have taken too many queries"
  ])
})

test("a record that its provider serves otherwise than it is stored is said to be so", () => {
  const expected = DnsRecord.make({
    host: "shop",
    type: "CNAME",
    value: "shops.example.net",
    ttl: 300,
    optional: false
  })
  const seen = [{ type: "A", value: "104.16.0.1", ttl: 300 }]
  const server = { server: "ns1.example.net", kind: "authoritative", status: "different", seen } as const
  const messageOf = (reason: ObservationReason) =>
    describeMissingRecords(
      [RecordObservation.make({ expected, status: "different", observed: [{ ...server, reason }] })],
      connectionFor("example.com", [])
    ).map(({ message }) => message)
  const answer = "ns1.example.net shows something else for CNAME at shop: A 104.16.0.1"
  expect(ObservationReason.literals.flatMap(messageOf)).toEqual([
    `${answer} (cname_flattened: the provider answers with addresses in place of the CNAME)`,
    `${answer} (proxied: the provider answers with addresses of its own; turn its proxy off for this record)`
  ])
})

test("a provider that refused something is named with its answer", () =>
  expect(
    describeProviderFailure("Acme DNS", new ProviderFailure({ code: "credential_invalid", detail: "401" }))
  ).toEqual([{ message: "Acme DNS answered: 401", server: "Acme DNS", answer: "401" }]))

test("a token that fits no header is not said to be an answer of the provider, which was not asked", () => {
  const token: Credential = { _tag: "api_token", apiToken: Redacted.make(" tok\n") }
  expect(
    describeProviderFailure("Acme DNS", Either.getOrThrow(Either.flip(readToken(token, { provider: "Cloudflare" }))))
  ).toEqual([
    {
      message: "Acme DNS was not asked: Cloudflare accepts an API token, in ASCII without spaces or line breaks"
    }
  ])
})
