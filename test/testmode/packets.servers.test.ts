import { expect } from "bun:test"
import { Effect, Redacted } from "effect"
import { fileURLToPath } from "node:url"
import { freshTestModeDatabase, urlOf } from "../persistence/freshDatabase.ts"
import { concurrentTest } from "../support/concurrentTest.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { masterKey } from "../support/masterKeys.ts"
import { temporaryDirectory } from "../support/TestPostgres.ts"

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const inNamespace = ["sh", pathOf("../support/lab/network-namespace.sh")]

/** A namespace of its own has no interface but the loopback. */
const findRefusal = (): string | undefined => {
  const { stdout } = Bun.spawnSync([...inNamespace, "cat", "/proc/net/dev"], { stderr: "ignore" })
  const interfaces = [...stdout.toString().matchAll(/^\s*(\S+):/gm)].map(([, name]) => name)
  return interfaces.join() === "lo" ? undefined : "this machine allows no network namespace"
}

describeIfPossible("the packets of test mode", findRefusal(), () =>
  concurrentTest("are none, on any test domain, whatever a platform calls", () =>
    Effect.gen(function* () {
      const url = urlOf(yield* freshTestModeDatabase)
      const child = Bun.spawn([...inNamespace, process.execPath, "run", pathOf("countPackets.ts")], {
        env: {
          PATH: process.env["PATH"],
          DATABASE_URL: Redacted.value(url),
          DATA_DIR: temporaryDirectory(),
          MASTER_KEY: masterKey(1)
        },
        stdout: "pipe",
        stderr: "pipe"
      })
      const [output, errors] = yield* Effect.promise(() =>
        Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      )
      expect(errors).toBe("")
      const counts = JSON.parse(output)
      expect(counts.test).toBe(0)
      expect(counts.live).toBeGreaterThan(0)
    })
  )
)
