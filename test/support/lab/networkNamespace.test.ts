import { expect, test } from "bun:test"

const runInNamespace = (...command: ReadonlyArray<string>) =>
  Bun.spawnSync(["sh", `${import.meta.dir}/network-namespace.sh`, ...command], { stdout: "pipe", stderr: "inherit" })

test("a command keeps its arguments, its user and its exit code", () => {
  const { stdout, exitCode } = runInNamespace("sh", "-c", `id -u; printf '<%s>' "$@"; exit 7`, "sh", "a b", "", "$HOME")
  expect([stdout.toString(), exitCode]).toEqual([`${process.getuid?.()}\n<a b><><$HOME>`, 7])
})

test("the script ends with the signal that ends its command", () => {
  expect(runInNamespace("sh", "-c", "kill -TERM $$").signalCode).toBe("SIGTERM")
})

test("a signal to the script reaches its command", async () => {
  const child = Bun.spawn(
    ["sh", `${import.meta.dir}/network-namespace.sh`, "sh", "-c", "trap 'exit 9' TERM; echo ready; read -r _"],
    {
      stdin: "pipe",
      stdout: "pipe"
    }
  )
  await child.stdout.getReader().read()
  child.kill("SIGTERM")
  expect(await child.exited).toBe(9)
})
