import { Schema } from "effect"
import type { KeptAnswers } from "../../../domain/connection/KeptAnswers.ts"
import { RecordType } from "../../../domain/records/recordTypes.ts"

/** Kept answers as columns have them, short, since there is a row for each connection: addresses, and answers as JSON. */
export const encodeKeptAnswers = ({ answers, servers, silentServers }: KeptAnswers) => ({
  servers: servers.join(" "),
  silentServers: silentServers.join(" "),
  answers: JSON.stringify(answers.map(({ digest, name, type }) => [name, type, digest]))
})

/** The schemas of these columns. */
export const keptAnswersColumns = {
  servers: Schema.String,
  silentServers: Schema.String,
  answers: Schema.parseJson(Schema.Array(Schema.Tuple(Schema.String, RecordType, Schema.String)))
}

export const decodeKeptAnswers = ({
  answers,
  servers,
  silentServers
}: Schema.Struct.Type<typeof keptAnswersColumns>): Pick<KeptAnswers, "answers" | "servers" | "silentServers"> => ({
  servers: servers.split(" "),
  silentServers: silentServers.split(" ").filter((address) => address !== ""),
  answers: answers.map(([name, type, digest]) => ({ name, type, digest }))
})
