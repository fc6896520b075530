import { Effect, type Scope } from "effect"
import { spawn } from "node:child_process"

/** What a block printed, and whether any of its commands failed. */
interface BlockResult {
  readonly output: string
  readonly hasFailed: boolean
}

/** A shell that stays open, so that functions and variables of one block are there in the next. */
export interface ShellSession {
  readonly run: (block: string, variables: Readonly<Record<string, string>>) => Effect.Effect<BlockResult>
}

/** Opens a shell that ends with the scope. */
export const openShell = (
  cwd: string,
  environment: Readonly<Record<string, string>>
): Effect.Effect<ShellSession, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => spawn("bash", ["--noprofile", "--norc"], { cwd, env: environment })),
      (shell) => Effect.sync(() => shell.kill("SIGKILL"))
    ),
    (shell) => {
      const text = { printed: "" }
      for (const stream of [shell.stdout, shell.stderr]) {
        stream.setEncoding("utf8").on("data", (part: string) => (text.printed += part))
      }
      return {
        run: (block, variables) =>
          Effect.promise(async () => {
            text.printed = ""
            const marker = `end-of-block-${crypto.randomUUID()}`
            const exports = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`)
            const lines = [...exports, "failed=no", "trap failed=yes ERR", block, `echo; echo ${marker} $failed`]
            shell.stdin.write(`${lines.join("\n")}\n`)
            const end = new RegExp(`\n${marker} (yes|no)\n`)
            while (!end.test(text.printed)) {
              if (shell.exitCode !== null) throw new Error(`the shell ended: ${text.printed}`)
              await Bun.sleep(10)
            }
            const [output = "", ending = ""] = text.printed.split(`\n${marker} `)
            return { output, hasFailed: ending.startsWith("yes") }
          })
      }
    }
  )
