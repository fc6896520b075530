import { expect, test } from "bun:test"
import { SharedPool } from "../../../src/persistence/postgres/SharedPool.ts"

test("a pool that is ended refuses a session, and what refuses it can be released", async () => {
  const pool = new SharedPool({ max: 2, servers: 1 }, () => {})
  await pool.end()
  const refusal = await new Promise<Error | undefined>((resolve) =>
    pool.connect((error, _, release) => {
      release()
      resolve(error)
    })
  )
  expect(refusal?.message).toContain("Cannot use a pool after calling end")
})
