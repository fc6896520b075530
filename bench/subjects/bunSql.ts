import { SQL } from "bun"
import { serveHandwritten } from "./serveHandwritten.ts"

/** The hand-written peer on the fastest driver: Bun's own, which is native, prepares statements and pipelines them. */
serveHandwritten(new SQL({ path: process.env["PGHOST"] ?? "", adapter: "postgres", max: 10 }))
