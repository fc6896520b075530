import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { testIfPossible } from "../support/describeIfPossible.ts"
import { cpuMicrosByProgram, cpuMicrosOf } from "../../bench/processes.ts"

/** Calls `use` with the id of a shell that has run the script and waits. */
const afterScript = async (script: string, use: (pid: number) => unknown) => {
  const shell = Bun.spawn(["sh", "-c", `${script}\necho ready; read _; kill $! 2>/dev/null`], {
    stdin: "pipe",
    stdout: "pipe"
  })
  await shell.stdout.getReader().read()
  await use(shell.pid)
  await shell.stdin.end()
  await shell.exited
}

test("only the programs below a process are listed, not those of others", () =>
  afterScript("sleep 60 >/dev/null &", (one) =>
    afterScript("tail -f /dev/null >/dev/null &", (other) => {
      expect([...cpuMicrosByProgram(one).keys()]).toEqual(["sleep"])
      expect([...cpuMicrosByProgram(other).keys()]).toEqual(["tail"])
      expect([...cpuMicrosByProgram(process.pid).keys()]).toEqual(expect.arrayContaining(["sleep", "tail"]))
    })
  ))

const noProc = existsSync("/proc/self/stat") ? undefined : "needs /proc"

testIfPossible("a program that has ended counts for the one that started it", noProc, () =>
  afterScript("sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'", (shell) => {
    expect(cpuMicrosOf(shell)).toBeGreaterThan(0)
  })
)
