import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { DomainName } from "../../../src/domain/names/DomainName.ts"
import type { NoAnswerReason } from "../../../src/domain/plan/RecordObservation.ts"
import { EffectiveIntent } from "../../../src/domain/connection/Intent.ts"
import { digestAnswer } from "../../../src/dns/zone/digestAnswer.ts"
import { keepAnswers } from "../../../src/lifecycle/verify/keepAnswers.ts"
import { emptyPlanContext } from "../../../src/planning/PlanContext.ts"
import { compareZone } from "../../../src/planning/verification/compareZone.ts"
import { computeAtOnce } from "../../../src/runtime/LongComputation.ts"
import { desiredRecords, zoneOf } from "../../support/planFixtures.ts"

const intentOf = (...lines: ReadonlyArray<string>) =>
  EffectiveIntent.make({ domain: "example.com", records: desiredRecords(...lines) })
const intent = intentOf("www 300 A 192.0.2.1", "@ 300 TXT one", "?www 300 TXT any")

/** A server that shows these records, and has not answered for these RRsets. */
const serverAt = (
  address: string,
  lines: ReadonlyArray<string>,
  unknown: ReadonlyArray<string> = [],
  reason: NoAnswerReason = "timed_out"
) => {
  const unknownRRsets = unknown.map((question) => {
    const [host = ""] = question.split(" ")
    return { host, type: question.endsWith("TXT") ? ("TXT" as const) : ("A" as const), reason }
  })
  const zone = { ...zoneOf(...lines), basis: "public_dns" as const }
  return {
    kind: "authoritative" as const,
    view: { server: { name: `ns.${address}`, addresses: [address] }, zone, unknownRRsets, wildcardRRsets: [] },
    compared: computeAtOnce(compareZone(intent, { zone, unknownRRsets }, emptyPlanContext)).records
  }
}

const delegation = {
  zone: DomainName.make("example.com"),
  nameServers: [],
  parentNameServers: [],
  childNameServers: [],
  hasParentChildMismatch: false,
  isSigned: false,
  keptUntil: 7
}

const shown = ["www 60 A 192.0.2.1", "@ 300 TXT two", "@ 300 TXT one"]

const keep = (...servers: ReadonlyArray<ReturnType<typeof serverAt>>) => keepAnswers(intent, servers, delegation)

describe("the answers that looks ask for", () => {
  test("are the whole RRsets of the required records, the same at all servers in any order and with any TTL", () => {
    const kept = keep(serverAt("192.0.2.8", shown), serverAt("192.0.2.9", shown.toReversed()))
    expect(kept).toEqual(
      Option.some({
        zone: "example.com",
        servers: ["192.0.2.8", "192.0.2.9"],
        silentServers: [],
        serversUntil: 7,
        answers: [
          { name: "www.example.com", type: "A", digest: digestAnswer("A  192.0.2.1") },
          // An address of the other family would lead some of the visitors elsewhere.
          { name: "www.example.com", type: "AAAA", digest: digestAnswer("") },
          { name: "example.com", type: "TXT", digest: digestAnswer("TXT  one\nTXT  two") }
        ]
      })
    )
  })

  test("are those of the servers that answer, where another one is silent, which may show anything once it is back", () => {
    const silent = serverAt("192.0.2.9", [], ["www A", "@ TXT"])
    const servers = Option.map(keep(serverAt("192.0.2.8", shown), silent), (kept) => [kept.servers, kept.silentServers])
    expect(servers).toEqual(Option.some([["192.0.2.8"], ["192.0.2.9"]]))
    expect(keep(silent)).toEqual(Option.none())
    const inPart = serverAt("192.0.2.9", shown.slice(0, 1), ["@ TXT"])
    expect(keep(serverAt("192.0.2.8", shown), inPart)).toEqual(keep(serverAt("192.0.2.8", shown), silent))
  })

  test("are none while a server shows something else in part, refuses or has no address", () => {
    const inPart = serverAt("192.0.2.9", ["www A 192.0.2.77"], ["@ TXT"])
    const silent = serverAt("192.0.2.9", [], ["www A", "@ TXT"])
    const refusing = serverAt("192.0.2.9", [], ["www A", "@ TXT"], "refused")
    const nowhere = { ...silent, view: { ...silent.view, server: { name: "ns3.example.net", addresses: [] } } }
    for (const other of [inPart, refusing, nowhere])
      expect(keep(serverAt("192.0.2.8", shown), other)).toEqual(Option.none())
  })

  test("are none where servers differ, or one lacks a record", () => {
    expect(keep(serverAt("192.0.2.8", shown), serverAt("192.0.2.9", [...shown, "@ 1 TXT three"]))).toEqual(
      Option.none()
    )
    expect(keep(serverAt("192.0.2.8", shown), serverAt("192.0.2.9", shown.slice(1)))).toEqual(Option.none())
  })

  test("are none where no record is required: all servers are asked for the optional ones", () => {
    const optional = intentOf("?www 300 A 192.0.2.1")
    expect(keepAnswers(optional, [serverAt("192.0.2.8", shown)], delegation)).toEqual(Option.none())
  })
})
