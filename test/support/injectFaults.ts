import { Effect } from "effect"
import { readFileSync } from "node:fs"

/** What happens to system calls, by their names: an error that the kernel returns, or a delay before they begin. */
export interface InjectedFault {
  readonly calls: ReadonlyArray<string>
  readonly fault: "error=EIO" | "error=ENOSPC" | "delay_enter=600s"
}

/** Makes system calls of a process, its children and those that they start from now on fail or hang, until the scope closes. */
export const injectFaults = (pid: number, { calls, fault }: InjectedFault) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const pids = [pid, ...childrenOf(pid)]
      const names = calls.join(",")
      const strace = Bun.spawn(
        ["strace", "-f", "-e", `trace=${names}`, "-e", `inject=${names}:${fault}`, ...pids.flatMap(attachTo)],
        { stdin: "ignore", stdout: "ignore", stderr: "pipe" }
      )
      await readUntilAttached(strace.stderr, pids.length)
      return strace
    }),
    (strace) =>
      Effect.promise(() => {
        strace.kill("SIGINT")
        return strace.exited
      })
  )

/** Why no faults can be injected here, if they cannot. */
export const injectionRefusal = (): string | undefined => {
  if (Bun.which("strace") === null) return "not installed: strace; apt-get install -y --no-install-recommends strace"
  const { stderr, success } = Bun.spawnSync(["strace", "-qq", "-e", "trace=none", "true"], { stderr: "pipe" })
  return success ? undefined : stderr.toString().trim()
}

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)

const attachTo = (pid: number) => ["-p", String(pid)]

/** Reads the lines in which strace reports the processes that it has attached to, and goes on reading. */
const readUntilAttached = (output: ReadableStream<Uint8Array>, count: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const decoder = new TextDecoder()
    let text = ""
    const read = async () => {
      for await (const chunk of output) {
        if (text.length < 100_000) text += decoder.decode(chunk, { stream: true })
        if ((text.match(/ attached$/gm) ?? []).length >= count) resolve()
      }
      reject(new Error(`strace has ended: ${text}`))
    }
    void read()
  })
