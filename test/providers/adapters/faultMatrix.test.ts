import { HttpClient, HttpClientResponse } from "@effect/platform"
import { expect } from "bun:test"
import { Effect } from "effect"
import { live } from "../../support/effectTest.ts"
import { everyKind, faultMatrix, findForeignChangeProblems } from "./faultMatrix.ts"
import { plainRecords } from "./plainRecords.ts"
import { powerDnsSubject } from "./powerdns/powerDnsSubject.ts"

faultMatrix("a vendor of single records", plainRecords(), everyKind)
faultMatrix("a vendor of single records in batches", plainRecords({ batches: true }), everyKind)

live("the fault matrix finds an adapter of single records that does not look again before it writes", () =>
  Effect.gen(function* () {
    const problems = yield* findForeignChangeProblems(plainRecords({ readsOnce: true }))
    // A record that appears beside ours is no problem: the run removes what stands twice.
    expect(new Set(problems.map((problem) => problem.split(":")[0]))).toEqual(
      new Set(["the record that the plan updates changes", "the record that the plan updates is removed"])
    )
  })
)

live("the fault matrix finds an adapter of sets that does not look again before it writes", () =>
  Effect.gen(function* () {
    const problems = yield* findForeignChangeProblems(powerDnsSubject(rememberReads))
    // A set that appears as it is planned is the same after it is written.
    expect(new Set(problems.map((problem) => problem.split(":")[0]))).toEqual(
      new Set([
        "a sibling is added",
        "a sibling changes",
        "a sibling is removed",
        "the record that the plan updates changes",
        "the record that the plan updates is removed"
      ])
    )
  })
)

/** Answers what reads the whole zone as it was at the first read since it was opened or written. */
const rememberReads = (http: HttpClient.HttpClient): HttpClient.HttpClient => {
  let zone: string | undefined
  return HttpClient.transform(http, (response, request) =>
    Effect.gen(function* () {
      const isWholeZone = request.method === "GET" && request.urlParams.length === 0
      if (!isWholeZone) zone = undefined
      if (zone === undefined) {
        const answer = yield* response
        if (!isWholeZone || answer.status !== 200) return answer
        zone = yield* answer.text
      }
      return HttpClientResponse.fromWeb(request, new Response(zone))
    })
  )
}
