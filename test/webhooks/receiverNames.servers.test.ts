import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryDirectory } from "../support/TestPostgres.ts"
import { describeIfPossible } from "../support/describeIfPossible.ts"
import { live } from "../support/effectTest.ts"

/** Runs a command in a network of its own, with this file as `/etc/resolv.conf`. */
const runWithResolverFile = (resolverFile: string, command: string) => [
  "unshare",
  "--net",
  "--mount",
  "sh",
  "-c",
  `PATH=$PATH:/usr/sbin:/sbin; ip link set lo up && mount --bind '${resolverFile}' /etc/resolv.conf && ${command}`
]

const makeResolverFile = (resolver: string): string => {
  const file = join(temporaryDirectory(), "resolv.conf")
  writeFileSync(file, `nameserver ${resolver}\n`)
  return file
}

/** Runs a program of this directory that asks this resolver first, and returns what it prints. */
const runClient = (program: string, resolver: string) =>
  Effect.promise((): Promise<unknown> => {
    const resolverFile = makeResolverFile(resolver)
    const command = `'${process.execPath}' '${join(import.meta.dir, program)}'`
    const client = Bun.spawn(runWithResolverFile(resolverFile, command), {
      env: { ...process.env, RESOLVER_FILE: resolverFile },
      stdout: "pipe"
    })
    return client.stdout.json()
  })

const isPossible = Bun.spawnSync(runWithResolverFile(makeResolverFile("127.0.0.1"), "true")).success

describeIfPossible("the names of receivers", isPossible ? undefined : "needs root and unshare", () => {
  describe("that no name server answers for", () =>
    live("do not keep an event from being sent to another receiver", () =>
      Effect.map(runClient("silentNamesClient.ts", "127.0.0.1"), (ended) =>
        expect(ended).toEqual(["https://localhost:1/"])
      )
    ))

  live("are looked up at the resolvers that the system has at that time", () =>
    Effect.map(runClient("changedResolverClient.ts", "127.0.0.4"), (errors) =>
      expect(errors).toEqual(["connection", "address_not_allowed"])
    )
  )

  live("are refused if any of their addresses is private, or embeds a private one", () =>
    Effect.map(runClient("forbiddenNamesClient.ts", "127.0.0.6"), (errors) =>
      expect(errors).toEqual({
        "public.example": "connection",
        "mixed.example": "address_not_allowed",
        "mixed-families.example": "address_not_allowed",
        "nat64.example": "address_not_allowed",
        "six-to-four.example": "address_not_allowed",
        "mapped.example": "address_not_allowed",
        localhost: "address_not_allowed",
        "localhost.": "address_not_allowed"
      })
    )
  )
})
