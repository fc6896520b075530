/** A test that failed, or a file that could not be loaded, with what was printed of it. */
interface TestFailure {
  readonly file: string
  readonly lines: ReadonlyArray<string>
}

/** The numbers and reasons of all tests of a run. */
export interface TestSummary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: ReadonlyArray<TestFailure>
  /** How many tests were skipped for each reason (`nameSkipped` of `test/support`). */
  readonly skippedFor: ReadonlyMap<string, number>
}

/** Reads what `bun test` prints, line by line. */
export class TestOutput {
  readonly #counts = new Map<string, number>()
  readonly #failures: Array<TestFailure> = []
  readonly #skippedFor = new Map<string, number>()
  /** The test file whose output is read; none before the first and after the last. */
  #file: string | undefined
  /** What was printed since the last result of a test. */
  #lines: Array<string> = []

  /** Reads one line; returns whether the output of a test file, or what follows the last one, begins with it. */
  read(line: string): boolean {
    const [, started] = /^(\S+\.test\.tsx?):$/.exec(line) ?? []
    // At the end of many tests, those of all files that failed or were skipped are repeated.
    if (started !== undefined || /^\d+ tests? (failed|skipped|todo):$/.test(line)) {
      this.#file = started
      this.#lines = []
      return true
    }
    const [, count = "", counted] = /^ *(\d+) (pass|skip|todo|fail)$/.exec(line) ?? []
    if (counted !== undefined) this.#counts.set(counted, Number(count))
    else if (this.#file !== undefined) this.#readTestOf(this.#file, line)
    return false
  }

  /** What was read of a process that ended with this exit code. */
  summarize(name: string, exitCode: number): TestSummary {
    const countOf = (counted: string) => this.#counts.get(counted) ?? 0
    const isUnexplained = exitCode !== 0 && countOf("fail") === 0
    const unexplained = { file: name, lines: [`ended with exit code ${exitCode}, and no test that failed`] }
    return {
      passed: countOf("pass"),
      failed: countOf("fail") + (isUnexplained ? 1 : 0),
      skipped: countOf("skip") + countOf("todo"),
      failures: isUnexplained ? [...this.#failures, unexplained] : this.#failures,
      skippedFor: this.#skippedFor
    }
  }

  #readTestOf(file: string, line: string): void {
    const [, result] = /^\((pass|fail|skip|todo)\) /.exec(line) ?? []
    if (result === undefined && line !== endOfError) {
      this.#lines.push(line)
      return
    }
    if (result === "fail" || (result === undefined && this.#lines.includes(startOfError)))
      this.#failures.push({ file, lines: [...this.#lines, line].slice(-maxFailureLines) })
    if (result === "skip" || result === "todo") {
      const [, reason = "without a reason"] = /\(skipped: (.+?)\)(?: > |$)/.exec(line) ?? []
      this.#skippedFor.set(reason, (this.#skippedFor.get(reason) ?? 0) + 1)
    }
    // A line of the same dashes begins the description of an error outside of all tests.
    this.#lines = result === undefined && this.#lines.at(-1) === startOfError ? this.#lines : []
  }
}

const startOfError = "# Unhandled error between tests"
const endOfError = "-------------------------------"

/** The end of a failure tells what was expected. */
const maxFailureLines = 40

/** Begins the command that runs the files that failed, one after the other; `.ci/run` reads it. */
const runAlone = "To run what failed alone: npm test -- "

/** The last lines of a run: each failure with its reason, each reason of skipped tests once, and the numbers. */
export const formatSummary = (summaries: ReadonlyArray<TestSummary>): string => {
  const sum = (count: (summary: TestSummary) => number) => summaries.reduce((all, one) => all + count(one), 0)
  const failures = summaries.flatMap((summary) => summary.failures)
  const files = [...new Set(failures.map(({ file }) => file))]
  const canRunAlone = files.length > 0 && files.every((file) => file.includes(".test."))
  const skippedFor = new Map<string, number>()
  for (const summary of summaries)
    for (const [reason, count] of summary.skippedFor) skippedFor.set(reason, (skippedFor.get(reason) ?? 0) + count)
  return [
    ...failures.flatMap(({ file, lines }) => ["", `Failed in ${file}:`, ...lines.filter((line) => line.trim() !== "")]),
    "",
    ...(canRunAlone ? [`${runAlone}${files.join(" ")}`] : []),
    ...[...skippedFor].map(([reason, count]) => `${count} skipped: ${reason}`),
    `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed, ${sum(({ skipped }) => skipped)} skipped`,
    ""
  ].join("\n")
}
