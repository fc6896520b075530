import { expect, test } from "bun:test"
import { fileURLToPath } from "node:url"

const demo = fileURLToPath(new URL("../../tools/demo.ts", import.meta.url))

/** How the steps of the demo begin. The demo itself fails where a step does not lead to its state. */
const headings = [
  "The service, with a PostgreSQL of its own",
  "The platform asks to connect the domain",
  "The bakery's zone today",
  "The bakery's browser gets a token",
  "The bakery hands in its API token",
  "It approves that digest",
  "Every name server and the resolvers show the change",
  "Somebody deletes the shop by mistake",
  "Repair",
  "The bakery leaves",
  "The change is undone",
  "The states of the connection"
]

test("the demo takes a connection from its request to its end and restores the zone", async () => {
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
  const lines = output.split("\n")
  const printed = lines.filter((line) => line !== "" && !line.startsWith(" "))
  expect(printed.map((line, nth) => line.slice(0, headings[nth]?.length))).toEqual(headings)
  expect(lines).toContain("  no difference: byte for byte what it was")
})
