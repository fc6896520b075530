import { expect } from "bun:test"
import { Effect } from "effect"
import { live } from "../../support/effectTest.ts"
import { faultMatrix, findForeignChangeProblems } from "./faultMatrix.ts"
import { plainRecords } from "./plainRecords.ts"

faultMatrix("a vendor of single records", plainRecords())
faultMatrix("a vendor of single records in batches", plainRecords({ batches: true }))

live(
  "the fault matrix finds an adapter that does not look again before it writes",
  () =>
    Effect.gen(function* () {
      const problems = yield* findForeignChangeProblems(plainRecords({ readsOnce: true }))
      // A record that appears beside ours is no problem: the run removes what stands twice.
      expect(new Set(problems.map((problem) => problem.split(":")[0]))).toEqual(
        new Set(["the record that the plan updates changes", "the record that the plan updates is removed"])
      )
    }),
  300_000
)
