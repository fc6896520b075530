import { expect, test } from "bun:test"
import { makeDescriptorCheck } from "../../../src/http/handlers/OpenStreams.ts"

test("a process is short of descriptors once four fifths of them are open, what was accepted since the last count included", () => {
  const isShort = makeDescriptorCheck(100, () => 77)
  expect([isShort(), isShort(), isShort(), isShort()]).toEqual([false, false, false, true])
})

test("this process has descriptors left, by the count of the system", () => {
  expect(makeDescriptorCheck()()).toBe(false)
  expect(makeDescriptorCheck(1)()).toBe(true)
})
