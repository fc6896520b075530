/** Writes a line to standard output, together with the others of this turn of the event loop. */
export const writeLogLine = (line: string): void => {
  if (pending.length === 0) setImmediate(flush)
  pending.push(line)
  if (isWatching) return
  isWatching = true
  // The last lines of a process are written before it ends.
  process.on("exit", flush)
}

const pending: Array<string> = []

let isWatching = false

/** Writes without `process.stdout`, which at the exit loses lines that a pipe has not taken. */
const flush = (): void => {
  if (pending.length > 0) globalThis.console.log(pending.splice(0).join("\n"))
}
