import { Effect, Exit, Runtime } from "effect"

interface BatchOptions<Ask, Answer, E> {
  /** Answers several asks at once, in their order; all fail together. It must not be interrupted by one of the askers. */
  readonly answerAll: (asks: ReadonlyArray<Ask>) => Effect.Effect<ReadonlyArray<Answer>, E>
  /** Whether a failure had no effect and may be the fault of a single ask, so that the others deserve another try. */
  readonly canBeFaultOfOne: (error: E) => boolean
}

/**
 * Answers together what is asked at the same time. An ask waits for nobody while fewer than three batches are under way;
 * after that, asks gather until one of these ends. When a batch fails by the fault of one ask, each is answered by itself.
 */
export const makeBatcher = <Ask, Answer, E>(
  options: BatchOptions<Ask, Answer, E>
): Effect.Effect<(ask: Ask) => Effect.Effect<Answer, E>> =>
  Effect.map(Effect.runtime<never>(), (runtime) => {
    const batches = new Batches(options, Runtime.runFork(runtime))
    return (ask) => Effect.async((resume) => batches.add({ ask, resume }))
  })

interface Asker<Ask, Answer, E> {
  readonly ask: Ask
  readonly resume: (answer: Exit.Exit<Answer, E>) => void
}

class Batches<Ask, Answer, E> {
  readonly #options: BatchOptions<Ask, Answer, E>
  readonly #runFork: (effect: Effect.Effect<void>) => void
  #waiting: Array<Asker<Ask, Answer, E>> = []
  #underWay = 0
  #isStarting = false

  constructor(options: BatchOptions<Ask, Answer, E>, runFork: (effect: Effect.Effect<void>) => void) {
    this.#options = options
    this.#runFork = runFork
  }

  add(asker: Asker<Ask, Answer, E>): void {
    this.#waiting.push(asker)
    if (this.#isStarting || this.#underWay === maxUnderWay) return
    this.#isStarting = true
    // Whatever else is asked in this turn of the event loop comes along.
    queueMicrotask(() => {
      this.#isStarting = false
      this.#start()
    })
  }

  #start(): void {
    while (this.#underWay < maxUnderWay && this.#waiting.length > 0) {
      const askers = this.#waiting.splice(0, maxAsks)
      this.#underWay += 1
      this.#runFork(
        Effect.map(this.#answer(askers), () => {
          this.#underWay -= 1
          this.#start()
        })
      )
    }
  }

  #answer(askers: ReadonlyArray<Asker<Ask, Answer, E>>): Effect.Effect<void> {
    return Effect.matchCauseEffect(this.#options.answerAll(askers.map(({ ask }) => ask)), {
      onSuccess: (answers) =>
        Effect.sync(() =>
          askers.forEach(({ resume }, nth) => {
            const answer = answers[nth]
            resume(answer === undefined ? Exit.die(new Error("a batch has too few answers")) : Exit.succeed(answer))
          })
        ),
      onFailure: (cause) =>
        askers.length > 1 && cause._tag === "Fail" && this.#options.canBeFaultOfOne(cause.error)
          ? Effect.forEach(askers, (asker) => this.#answer([asker]), { discard: true })
          : Effect.sync(() => askers.forEach(({ resume }) => resume(Exit.failCause(cause))))
    })
  }
}

/** A fourth statement at the same time makes the batches smaller and nothing faster. */
const maxUnderWay = 3

/** Bounds the memory of a statement and of its answer. */
const maxAsks = 64
