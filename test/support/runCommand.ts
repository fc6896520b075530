import { expect } from "bun:test"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

/** The compiler of TypeScript. */
export const tsc = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url))

/** Runs a command, which must succeed, and returns what it prints. */
export const runCommand = (cwd: string, command: string, ...args: ReadonlyArray<string>): string => {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8" })
  expect([status, stdout + stderr]).toEqual([0, expect.any(String)])
  return stdout
}
