import { expect, test } from "bun:test"
import { Effect } from "effect"
import { declaredOperations } from "../../support/documentedErrors.ts"
import { withLayer } from "../../support/effectTest.ts"
import { jsonOf } from "../../support/testApi.ts"
import type { ErrorCase } from "../support/errorCases.ts"
import { adminErrorCases } from "./adminErrorCases.ts"
import { commonErrorCases } from "./commonErrorCases.ts"
import { entryErrorCases } from "./entryErrorCases.ts"
import { operationErrorCases } from "./operationErrorCases.ts"
import { operatorErrorCases } from "./operatorErrorCases.ts"

const allCases = [
  ...commonErrorCases,
  ...operationErrorCases,
  ...adminErrorCases,
  ...entryErrorCases,
  ...operatorErrorCases
]

const titleOf = ({ code, operation, status }: Pick<ErrorCase, "operation" | "status" | "code">) =>
  `${operation} answers ${status} ${code}`

test("every error that the contract declares for an operation is provoked here, once, and no other", () => {
  const declared = declaredOperations.flatMap(({ codes, id }) =>
    Object.entries(codes).flatMap(([status, codes]) =>
      codes.map((code) => titleOf({ operation: id, status: Number(status), code }))
    )
  )
  const provoked = allCases.flatMap(({ cases }) => cases.map(titleOf))
  expect(provoked.toSorted()).toEqual(declared.toSorted())
})

/** When a client may try again, and how it can authenticate (RFC 9110 sections 10.2.3 and 11.6.1). */
const headersByStatus: Readonly<Record<number, string>> = { 401: "www-authenticate", 503: "retry-after" }

allCases.forEach(({ cases, service, title }) =>
  withLayer(title, service, (live) =>
    cases.forEach((errorCase) =>
      live(titleOf(errorCase), () =>
        Effect.gen(function* () {
          const response = yield* errorCase.send
          const { error } = yield* jsonOf(response)
          expect([response.status, error.code]).toEqual([errorCase.status, errorCase.code])
          const header = headersByStatus[errorCase.status]
          if (header !== undefined) expect(response.headers.has(header)).toBe(true)
        })
      )
    )
  )
)
