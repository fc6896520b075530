import { expect, test } from "bun:test"
import { describeProblems } from "../../src/domain/error/ErrorDetail.ts"

const problem = (pointer: string, message: string) => ({ pointer, code: "invalid", message })

test("one problem is named", () =>
  expect(describeProblems("intent", [problem("/intent/domain", "co.uk is a public suffix")])).toBe(
    "1 problem in intent: /intent/domain: co.uk is a public suffix"
  ))

test("of several problems the first is named, and all are counted", () =>
  expect(describeProblems("intent", [problem("/intent/domain", "is missing"), problem("/intent/records", "x")])).toBe(
    "2 problems in intent: /intent/domain: is missing"
  ))

test("a problem of the whole has no pointer", () =>
  expect(describeProblems("the request", [problem("", "must be an object")])).toBe(
    "1 problem in the request: must be an object"
  ))

test("twenty problems may be more, since no more are listed", () =>
  expect(
    describeProblems(
      "intent",
      Array.from({ length: 20 }, () => problem("/a", "b"))
    )
  ).toBe("20 or more problems in intent: /a: b"))

test("where more problems are known than are listed, all are counted", () =>
  expect(describeProblems("intent", [problem("/a", "b"), problem("/c", "d")], 30)).toBe(
    "30 problems in intent, 2 of them listed: /a: b"
  ))

test("a long message is cut", () =>
  expect(describeProblems("intent", [problem("/a", "b".repeat(1_000))])).toHaveLength(300))

test("the message quotes a pointer without its control characters, which could begin a line of their own", () =>
  expect(describeProblems("the request", [problem("/a\n\u0000b\u202e", "is not a known field")])).toBe(
    "1 problem in the request: /ab: is not a known field"
  ))
