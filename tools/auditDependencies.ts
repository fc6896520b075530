/** How long the registry may take: `check` is run often, and also offline. */
const limitMillis = 5_000

/** What a registry knows of a version that is installed, by the name of its package (`bun audit --json`). */
type Advisories = Readonly<
  Record<string, ReadonlyArray<{ readonly severity: string; readonly title: string; readonly url: string }>>
>

/** The severities that fail the check. */
const serious: ReadonlyArray<string> = ["high", "critical"]

const parse = (text: string): Advisories | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Fails on a serious vulnerability of a dependency; where no registry answers, it says so and passes. */
const child = Bun.spawn([process.execPath, "audit", "--json"], {
  stdin: "ignore",
  stdout: "pipe",
  stderr: "pipe",
  timeout: limitMillis
})
const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
const advisories = parse(out)
if (advisories === undefined) {
  const reason = err.trim().split("\n").at(-1) || `no answer within ${limitMillis / 1_000} seconds`
  console.log(`Dependency audit skipped: ${reason}`)
} else {
  const found = Object.entries(advisories).flatMap(([name, known]) =>
    known
      .filter(({ severity }) => serious.includes(severity))
      .map(({ severity, title, url }) => `${name}: ${severity}: ${title} ${url}`)
  )
  console.log(found.length === 0 ? "Dependency audit: no serious vulnerability is known" : found.join("\n"))
  if (found.length > 0) process.exitCode = 1
}
