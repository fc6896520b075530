import { expect, test } from "bun:test"
import { DomainName } from "../../../src/domain/DomainName.ts"
import { DnsRecord } from "../../../src/domain/DnsRecord.ts"
import { RecordObservation } from "../../../src/domain/RecordObservation.ts"
import {
  describeMissingRecords,
  describeProviderAnswer,
  describeServerFailures
} from "../../../src/lifecycle/state/failureDetails.ts"

const expected = DnsRecord.make({ host: "www", type: "A", value: "192.0.2.1", ttl: 300, optional: false })

test("a failed reading names each server, the question and its answer", () => {
  const servers = [
    { server: "ns1.example.net", reason: "refused" as const, question: { name: "www.example.com", type: "A" } },
    { server: "ns2.example.net", reason: "timed_out" as const }
  ]
  expect(describeServerFailures(servers, DomainName.make("example.com"))).toEqual([
    {
      message: "ns1.example.net, asked for A of www.example.com, refused to answer",
      server: "ns1.example.net",
      host: "www",
      type: "A",
      answer: "refused"
    },
    { message: "ns2.example.net did not answer", server: "ns2.example.net", answer: "timed_out" }
  ])
})

test("a failed verification names the servers that show something else, and not those that are right", () => {
  const seen = { type: "A", value: "192.0.2.9", ttl: 60 }
  const observed = [
    { server: "ns1.example.net", kind: "authoritative", status: "present", seen: [] },
    { server: "ns2.example.net", kind: "authoritative", status: "different", seen: [seen] },
    { server: "ns3.example.net", kind: "authoritative", status: "unknown", silence: "lame", seen: [] },
    { server: "192.0.2.53", kind: "public", status: "missing", seen: [] }
  ] as const
  const records = [RecordObservation.make({ expected, observed, status: "different" })]
  expect(describeMissingRecords(records)).toMatchObject([
    { server: "ns2.example.net", host: "www", type: "A", expected: "192.0.2.1", answer: "A 192.0.2.9" },
    { server: "ns3.example.net", answer: "lame" },
    { server: "192.0.2.53", answer: "no such record" }
  ])
})

test("optional records do not fail a verification", () => {
  const optional = DnsRecord.make({ ...expected, optional: true })
  const observed = [{ server: "ns1.example.net", kind: "authoritative", status: "missing", seen: [] }] as const
  expect(describeMissingRecords([RecordObservation.make({ expected: optional, observed, status: "missing" })])).toEqual(
    []
  )
})

test("an answer of the provider is repeated as it was", () => {
  expect(describeProviderAnswer("Acme DNS", "422 the name is locked")).toEqual([
    { message: "Acme DNS answered: 422 the name is locked", server: "Acme DNS", answer: "422 the name is locked" }
  ])
})
