import { Context, Effect } from "effect"
import { makeBudget } from "../../limits/Budget.ts"
import type { Message, ResourceRecord } from "../wire/Message.ts"
import { countRefused } from "./Query.ts"

/** The memory for the answers of one survey: foreign servers choose their length, and all are kept to its end. */
export interface AnswerBudget {
  /** Spends the bytes of the answer if as many are left; otherwise the budget is spent. */
  readonly tryKeep: (answer: Message) => boolean
  /** Whether an answer was too long for the rest of the budget: further answers are useless. */
  readonly isSpent: () => boolean
}

interface AnswerLimits {
  /** Bytes that every survey may keep, whatever the others keep. */
  readonly guaranteed: number
  /** Bytes for all surveys of the process; a survey within its guaranteed part does not count. */
  readonly inAll: number
}

interface AnswerMemory {
  readonly open: (requester: string, maxBytes: number) => AnswerBudget & { readonly close: () => void }
}

/** Beyond its guaranteed part, a survey's requester gets at most half of what is free: later ones need some too. */
export const makeAnswerMemory = ({ guaranteed, inAll }: AnswerLimits = processAnswerLimits): AnswerMemory => {
  const process = makeBudget({ inAll, leavesHalfFree: true })
  return {
    open: (requester, maxBytes) => {
      let kept = 0
      let isSpent = false
      const hasRoom = (bytes: number) =>
        kept + bytes <= maxBytes && (kept + bytes <= guaranteed || process.hasRoom(requester, bytes))
      return {
        isSpent: () => isSpent,
        tryKeep: (answer) => {
          const bytes = measureAnswer(answer)
          if (isSpent || !hasRoom(bytes)) {
            isSpent = true
            countRefused("answers")
            return false
          }
          kept += bytes
          process.spend(requester, bytes)
          return true
        },
        close: () => process.spend(requester, -kept)
      }
    }
  }
}

export const processAnswerLimits: AnswerLimits = { guaranteed: 512 * 1024, inAll: 128 * 1024 * 1024 }

/** The memory of this process, which all its clients share. */
export class ProcessAnswerMemory extends Context.Reference<ProcessAnswerMemory>()("dns/ProcessAnswerMemory", {
  defaultValue: makeAnswerMemory
}) {}

/** The bytes that the answers of one survey may take: several times as many as the largest intents need. */
export const maxSurveyBytes = 8 * 1024 * 1024

/** Runs an effect with a budget for the answers that it keeps until it ends. */
export const withAnswerBudget = <A, E, R>(
  requester: string,
  maxBytes: number,
  use: (budget: AnswerBudget) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(ProcessAnswerMemory, (memory) =>
    Effect.acquireUseRelease(
      Effect.sync(() => memory.open(requester, maxBytes)),
      use,
      ({ close }) => Effect.sync(close)
    )
  )

/** The bytes that the records of an answer take in memory: two for each character, and the objects around them. */
export const measureAnswer = ({ additionals, answers, authorities }: Message): number =>
  measureRecords(answers) + measureRecords(authorities) + measureRecords(additionals)

const measureRecords = (records: ReadonlyArray<ResourceRecord>): number =>
  records.reduce((bytes, { name, value }) => bytes + 2 * (name.length + value.length) + bytesPerRecord, 0)

const bytesPerRecord = 150
