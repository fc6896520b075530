import { expect, test } from "bun:test"
import { detailCodes } from "../../../src/domain/error/detailMeanings.ts"
import { detailRows, errorRows, warningRows } from "../../../src/http/contract/codeTables.ts"

test("every code of a detail has an entry on the page of all codes", () => {
  const explained = new Set([...detailRows, ...errorRows, ...warningRows].map(({ code }) => code))
  expect([...detailCodes].filter((code) => !explained.has(code))).toEqual([])
})
