import { Effect, Either } from "effect"

interface BatchOptions<Ask, Answer, E> {
  /** Answers several asks at once, in their order; all fail together. Calls `onAnswered` once. */
  readonly answerAll: (
    asks: ReadonlyArray<Ask>,
    onAnswered: (answers: Either.Either<ReadonlyArray<Answer>, E>) => void
  ) => void
  /** Whether a failure had no effect and may be the fault of a single ask, so that the others deserve another try. */
  readonly canBeFaultOfOne: (error: E) => boolean
}

/**
 * Answers together what is asked at the same time. An ask waits for nobody while fewer than three batches are under way;
 * after that, asks gather until one of these ends. When a batch fails by the fault of one ask, each is answered by itself.
 */
export const makeBatcher = <Ask, Answer, E>(
  options: BatchOptions<Ask, Answer, E>
): ((ask: Ask) => Effect.Effect<Answer, E>) => {
  const batches = new Batches(options)
  return (ask) => Effect.async((resume) => batches.add({ ask, resume }))
}

interface Asker<Ask, Answer, E> {
  readonly ask: Ask
  readonly resume: (answer: Either.Either<Answer, E>) => void
}

class Batches<Ask, Answer, E> {
  readonly #options: BatchOptions<Ask, Answer, E>
  #waiting: Array<Asker<Ask, Answer, E>> = []
  #underWay = 0
  #isStarting = false

  constructor(options: BatchOptions<Ask, Answer, E>) {
    this.#options = options
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
      this.#underWay += 1
      this.#answer(this.#waiting.splice(0, maxAsks), () => {
        this.#underWay -= 1
        this.#start()
      })
    }
  }

  #answer(askers: ReadonlyArray<Asker<Ask, Answer, E>>, onEnd: () => void): void {
    this.#options.answerAll(
      askers.map(({ ask }) => ask),
      (answers) => {
        if (Either.isLeft(answers) && askers.length > 1 && this.#options.canBeFaultOfOne(answers.left))
          return this.#answerOneByOne(askers, onEnd)
        onEnd()
        askers.forEach(({ resume }, nth) => resume(Either.map(answers, (all) => all[nth] as Answer)))
      }
    )
  }

  #answerOneByOne([first, ...others]: ReadonlyArray<Asker<Ask, Answer, E>>, onEnd: () => void): void {
    if (first === undefined) return onEnd()
    this.#answer([first], () => this.#answerOneByOne(others, onEnd))
  }
}

/** A fourth statement at the same time makes the batches smaller and nothing faster. */
const maxUnderWay = 3

/** Bounds the memory of a statement and of its answer. */
const maxAsks = 64
