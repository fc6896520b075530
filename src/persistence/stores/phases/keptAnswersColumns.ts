import { Schema } from "effect"
import type { KeptAnswer, KeptAnswers } from "../../../domain/connection/KeptAnswers.ts"
import { RecordType } from "../../../domain/records/recordTypes.ts"

/** Kept answers as columns have them: short, since there is a row for each connection. */
interface KeptAnswersColumns {
  /** Addresses, separated by blanks. */
  readonly servers: string
  /** Answers as JSON, each `[name, type, digest]`. */
  readonly answers: string
}

export const encodeKeptAnswers = ({ answers, servers }: KeptAnswers): KeptAnswersColumns => ({
  servers: servers.join(" "),
  answers: JSON.stringify(answers.map(({ digest, name, type }) => [name, type, digest]))
})

export const decodeKeptAnswers = ({
  answers,
  servers
}: KeptAnswersColumns): Pick<KeptAnswers, "answers" | "servers"> => ({
  servers: servers.split(" "),
  answers: decodeAnswers(answers).map(([name, type, digest]): KeptAnswer => ({ name, type, digest }))
})

const decodeAnswers = Schema.decodeSync(
  Schema.parseJson(Schema.Array(Schema.Tuple(Schema.String, RecordType, Schema.String)))
)
