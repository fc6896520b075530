import { expect, test } from "bun:test"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")

/** What the check of the dependencies prints, and how it exits, if the registry answers like this. */
const auditWith = async (answer: () => Response | Promise<Response>) => {
  const registry = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer })
  const child = Bun.spawn([process.execPath, "run", "tools/auditDependencies.ts"], {
    cwd: root,
    env: { ...process.env, NPM_CONFIG_REGISTRY: `http://127.0.0.1:${registry.port}/` },
    stdout: "pipe"
  })
  const [out, code] = await Promise.all([child.stdout.text(), child.exited])
  await registry.stop(true)
  return { out, code }
}

const advisory = (severity: string) => () =>
  Response.json({
    effect: [{ id: 1, url: "https://example.com/GHSA-1", title: "Drops fibers", severity, vulnerable_versions: "<99" }]
  })

test("a known vulnerability of high severity fails the check, and is named", async () => {
  for (const severity of ["high", "critical"]) {
    const line = `effect: ${severity}: Drops fibers https://example.com/GHSA-1\n`
    expect(await auditWith(advisory(severity))).toEqual({ code: 1, out: line })
  }
})

test("a lesser one, or none, passes", async () => {
  const passed = { code: 0, out: "Dependency audit: no serious vulnerability is known\n" }
  expect(await auditWith(advisory("moderate"))).toEqual(passed)
  expect(await auditWith(() => Response.json({}))).toEqual(passed)
})

test("a registry that answers no audits, or breaks off, skips the check visibly", async () => {
  const skipped = { code: 0, out: expect.stringMatching(/^Dependency audit skipped: .+\n$/) }
  expect(await auditWith(() => new Response(undefined, { status: 405 }))).toEqual(skipped)
  expect(await auditWith(() => new Response("<html>", { status: 200 }))).toEqual(skipped)
  expect(await auditWith(() => new Promise<Response>(() => {}))).toEqual(skipped)
})
