/** So many other programs compute as long as the tests run: as many as a small machine has cores. */
const otherPrograms = 2

/** Computes until the process that started it is gone, whatever ended that. */
const busyLoop = "while kill -0 $PPID 2>/dev/null; do i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; done"

const startLoop = () => Bun.spawn(["sh", "-c", busyLoop], { stdio: ["ignore", "ignore", "ignore"] })

/** Runs a command until it fails, so many times at most; returns the last exit code. */
const runRepeatedly = async (times: number, command: ReadonlyArray<string>): Promise<number> => {
  for (let nth = 1; nth <= times; nth += 1) {
    process.stdout.write(`Beside ${otherPrograms} busy loops: ${command.join(" ")}, ${nth} of ${times}\n`)
    const child = Bun.spawn([...command], { stdio: ["ignore", "inherit", "inherit"] })
    const stop = () => child.kill()
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop)
    const exitCode = await child.exited
    if (exitCode !== 0) return exitCode
  }
  return 0
}

/**
 * Runs `npm test` three times in a row, or `--times=…`, beside two programs that compute all the time, and ends with the
 * first run that fails: `bun run test:loaded`. Other arguments are those of `npm test`.
 */
if (import.meta.main) {
  const args = process.argv.slice(2)
  const times = args.flatMap((arg) => /^--times=(\d+)$/.exec(arg)?.[1] ?? []).map(Number)
  const chosen = args.filter((arg) => !arg.startsWith("--times="))
  const loops = Array.from({ length: otherPrograms }, startLoop)
  try {
    process.exitCode = await runRepeatedly(times.at(-1) ?? 3, [
      "npm",
      "test",
      ...(chosen.length > 0 ? ["--"] : []),
      ...chosen
    ])
  } finally {
    loops.forEach((loop) => loop.kill())
  }
}
