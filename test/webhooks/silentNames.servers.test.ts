import { expect } from "bun:test"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { live } from "../support/effectTest.ts"

/** Runs a command in a network of its own, with a resolver at 127.0.0.1. */
const runWithOwnResolver = (resolverFile: string, command: string) => [
  "unshare",
  "--net",
  "--mount",
  "sh",
  "-c",
  `PATH=$PATH:/usr/sbin:/sbin; ip link set lo up && mount --bind '${resolverFile}' /etc/resolv.conf && ${command}`
]

const resolverFile = join(temporaryDirectory(), "resolv.conf")
writeFileSync(resolverFile, "nameserver 127.0.0.1\n")

const isPossible = Bun.spawnSync(runWithOwnResolver(resolverFile, "true")).success

describeIfPossible("name servers that do not answer", isPossible ? undefined : "needs root and unshare", () =>
  live("do not keep an event from being sent to another receiver", () =>
    Effect.promise(async () => {
      const script = join(import.meta.dir, "silentNamesClient.ts")
      const client = Bun.spawn(runWithOwnResolver(resolverFile, `'${process.execPath}' '${script}'`), {
        stdout: "pipe"
      })
      expect(JSON.parse(await client.stdout.text())).toEqual(["https://localhost:1/"])
    })
  )
)
