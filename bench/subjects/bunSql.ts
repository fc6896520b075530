import { SQL } from "bun"
import { serveHandwritten } from "./serveHandwritten.ts"

/** By hand on the fastest driver there is: Bun's own, which is native, prepares statements and sends them in a row. */
serveHandwritten(new SQL({ path: process.env["PGHOST"] ?? "", adapter: "postgres", max: 10 }))
