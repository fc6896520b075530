import { Pool } from "pg"
import { serveByHand } from "./serveByHand.ts"

/** The floor: by hand on `pg`, the driver below the `@effect/sql-pg` of this service, with as many connections. */

const pool = new Pool({ max: 10 })

serveByHand(async (strings, ...parameters) => {
  const text = String.raw({ raw: strings }, ...parameters.map((_, index) => `$${index + 1}`))
  return (await pool.query(text, parameters)).rows
})
