import { type AdapterEvidence, eachTrap, forRows, testsOf, unproven } from "../AdapterEvidence.ts"
import { googleCloudDns } from "./googleCloudDns.ts"

const tests = testsOf("googleclouddns/googleCloudDns", googleCloudDns)
const { adapter, contract, decoded, documentRows, requests, sdkRows, trapRows, traps } = tests

const throttling = "403 is throttling or scope by reason"
const routed = "routingPolicy sets have no rrdatas"
const twoZones = "two zones of one name, public and private"
const squarespace = "googledomains.com servers belong to Squarespace"

const oneChange = traps("one change deletes each set exactly as it was read, and adds it as it must be")
const changes = "a set that gets another TTL just before the call arrives is a zone that has changed, and loses nothing"

/** What proves the adapter of Google Cloud DNS. */
export const googleCloudDnsEvidence: AdapterEvidence = {
  ...adapter,
  sources: {
    document:
      "Google's document of version 2 judges every request to the fake and every answer of it; version 1, which is in use, has no locations, and its words are in small letters",
    recording: "Lexicon's tests once made 155 exchanges at Google, and the fake gives the same answers",
    judge: "Google's own client for JavaScript, unaltered, drives the fakes of the API and of the tokens",
    trap: "traps and errors that other clients of Cloud DNS met"
  },
  rows: {
    document: documentRows,
    recording: {
      ...unproven.byPlainRecording,
      ...forRows(["creates", "replaces", "removes", "A", "TXT"], requests),
      CNAME: decoded,
      findsZone: "it lists all zones of a project with one, without the filter of the adapter"
    },
    judge: sdkRows("finds the zone, and creates, lists, replaces and deletes a set"),
    trap: trapRows({
      findsZone: traps(twoZones, squarespace),
      creates: contract("that cannot be renewed before a write leaves the zone as it is"),
      ...forRows(["replaces", "removes"], [...oneChange, ...contract(changes)]),
      A: traps(routed),
      CNAME: traps("an alias at the apex is written as ALIAS, but not in a zone that Google signs"),
      TXT: traps("a text is written in quotes, with quotes and backslashes of its own escaped by a backslash"),
      refuses: traps(routed),
      errors: [...traps(throttling), ...contract("that is not given says why, and nothing that is secret")],
      rateLimit: [...traps(throttling), ...contract("a limit says how long to wait")],
      faults: contract("502 badGateway to a write is OutcomeUnknown")
    })
  },
  traps: eachTrap(traps, [throttling, routed, twoZones, squarespace])
}
