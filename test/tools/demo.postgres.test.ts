import { expect, test } from "bun:test"
import { fileURLToPath } from "node:url"

const demo = fileURLToPath(new URL("../../tools/demo.ts", import.meta.url))

/** How the lines of the demo begin that it is about, in their order; blanks in a row are one. */
const told = [
  "found out from the name servers: Acme DNS",
  "+ shop 3600 CNAME shops.platform.example",
  "warnings: spf_record_merged, cname_replaces_records, mail_records_removed",
  "state awaiting_authorization",
  "from https://evil.example: 403 origin_not_allowed",
  "planned again, now from the zone as Acme DNS keeps it: the same digest",
  "409 acknowledgement_required: acknowledge mail_records_removed",
  "+ shop.crumb-and-co.com. 3600 CNAME shops.platform.example.",
  "CNAME shop present present present present",
  "state active",
  "CNAME shop missing missing missing",
  "state degraded",
  "+ shop 3600 CNAME shops.platform.example",
  "state awaiting_authorization",
  "CNAME shop present present present present",
  "state active",
  "+ shop 3600 MX 10 mail.crumb-and-co.com",
  "no difference: byte for byte what it was",
  "→ active → awaiting_authorization → authorized → planned → disconnecting → disconnected"
]

test("the demo tells the whole life of a connection, which leaves the zone as it was", async () => {
  const child = Bun.spawn([process.execPath, "run", demo], {
    env: { PATH: process.env["PATH"] },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited
  ])
  expect({ errors, code }).toEqual({ errors: "", code: 0 })
  const lines = output.split("\n").map((line) => line.trim().replaceAll(/ +/g, " "))
  const beginnings = new Set(told)
  expect(lines.flatMap((line) => [...beginnings].filter((beginning) => line.startsWith(beginning)))).toEqual(told)
}, 30_000)
