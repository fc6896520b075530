import { type AdapterEvidence, eachTrap, forRows, testsAt, testsOf, unproven } from "../AdapterEvidence.ts"
import { route53 } from "./route53.ts"

const tests = testsOf("route53/route53", route53)
const { adapter, documentRows, readOnly, recordings, requests, sdkRows, trapRows, traps } = tests

const octalNames = "\\052 and octal names"
const routed = "weighted, latency, geo sets share a name and type"
const aliases = "alias sets have no TTL and no values"
const throttling = "Throttling and PriorRequestNotComplete are 400"
const ownWrite = 'an SDK that retries a lost CREATE reports "already exists" for its own write'
const rate = "429-free: 5 requests a second"
const refusedTwice = recordings("is repeated by the fake: create_record_with_duplicate_records_should_be_noop")

/** What proves the adapter of Amazon Route 53. */
export const route53Evidence: AdapterEvidence = {
  ...adapter,
  name: "Amazon Route 53",
  sources: {
    document:
      "Amazon's OpenAPI document judges every request to the fake and every answer of it, and the fake checks signatures by itself",
    recording:
      "Lexicon's tests once made 124 exchanges at Route 53, and the fake gives the same answers; they write addresses, aliases and texts only, and one batch was refused",
    judge: "Amazon's own SDK for JavaScript, unaltered, drives the fakes of Route 53 and of STS at Amazon's own hosts",
    trap: "traps and errors that other clients of Route 53 met"
  },
  rows: {
    document: documentRows,
    recording: {
      ...unproven.byPlainRecording,
      ...forRows(["creates", "removes", "A", "CNAME", "TXT"], requests),
      ...forRows(["errors", "refuses"], refusedTwice),
      findsZone: recordings("is repeated by the fake: authenticate"),
      replaces: "it replaces by UPSERT, which the adapter never sends"
    },
    judge: sdkRows("finds the zone, and creates, lists, replaces and deletes a set"),
    trap: trapRows({
      findsZone: traps("the public zone of the delegation is written, unless another service keeps it"),
      readsEveryPage: traps(rate),
      ...forRows(["creates", "faults"], traps(ownWrite)),
      replaces: traps("a plan is one batch of deletions and creations only, also for another type"),
      refuses: traps(routed),
      ...forRows(["removes", "A"], traps(aliases)),
      ...forRows(["TXT", "wildcard"], traps(octalNames)),
      errors: [...traps(throttling), ...readOnly],
      rateLimit: traps(rate, throttling)
    })
  },
  traps: eachTrap(traps, [octalNames, routed, aliases, throttling, ownWrite, rate]),
  findings: {
    "customers of platforms give an assumed role with an external id, not a long-lived key": [
      ...testsAt("test/providers/awsRoles.servers.test.ts")("assumes a role with its external id only"),
      ...testsAt("test/providers/awsRoles.test.ts")("a role at AWS that the service assumes")
    ]
  }
}
