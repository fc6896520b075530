import { SQL } from "bun"
import { serveByHand } from "./serveByHand.ts"

/** By hand on the fastest driver there is: Bun's own, which is native, prepares statements and sends them in a row. */
serveByHand(new SQL({ path: process.env["PGHOST"] ?? "", adapter: "postgres", max: 10 }))
