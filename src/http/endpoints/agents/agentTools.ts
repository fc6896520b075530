import { Either, type ParseResult, Schema } from "effect"
import { ConnectionId } from "../../../domain/connection/Connection.ts"
import { IntentRequest } from "../../../domain/connection/Intent.ts"
import { ExternalId } from "../../../domain/connection/PlatformFields.ts"
import { boundedString, optional } from "../../../domain/values/boundedSchemas.ts"

/** A request to the API of this service. */
export interface ApiCall {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A tool of an agent: a request to the API, in the words of a task. */
export interface AgentTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly parameters: Schema.Schema.AnyNoContext
  /** Whether it changes nothing. */
  readonly isReadOnly: boolean
  /** What the agent does next, as the field `nextStep` of the answer. */
  readonly nextStep?: string
  /** The requests that answer it; the fields of their bodies become one. */
  readonly calls: (parameters: unknown) => Either.Either<ReadonlyArray<ApiCall>, ParseResult.ParseError>
}

/** Defines a tool; what `calls` gets has been decoded. */
const defineTool = <A, I>(
  tool: Omit<AgentTool, "parameters" | "calls"> & {
    readonly parameters: Schema.Schema<A, I>
    readonly calls: (parameters: A) => ReadonlyArray<ApiCall>
  }
): AgentTool => {
  const decode = Schema.decodeUnknownEither(tool.parameters)
  return { ...tool, calls: (parameters) => Either.map(decode(parameters), tool.calls) }
}

const OneConnection = Schema.Struct({
  connectionId: ConnectionId.annotations({ description: "The id of the connection, `con_…`." })
})

const pathOf = ({ connectionId }: typeof OneConnection.Type): string =>
  `/v1/connections/${encodeURIComponent(connectionId)}`

const encodeRecords = Schema.encodeSync(IntentRequest.fields.records)

const records = IntentRequest.fields.records.annotations({
  description: "The records that the domain shall have, each with `host`, `type` and `value`."
})

/** What agents may do. An agent plans; approval, credentials and disconnecting are for people, by a share link. */
export const agentTools: ReadonlyArray<AgentTool> = [
  defineTool({
    name: "check_domain",
    title: "Check a domain",
    description: "Says who hosts the DNS of a domain and what connecting it would change. Creates nothing.",
    parameters: Schema.Struct({ domain: boundedString(1_000), records }),
    isReadOnly: true,
    calls: ({ domain, records }) => [
      { method: "POST", path: "/v1/domains/check", body: { domain, records: encodeRecords(records) } }
    ]
  }),
  defineTool({
    name: "create_connection",
    title: "Create a connection",
    description:
      "Plans the records of a domain and returns the connection with its plan. Nothing is written: a person has to approve. Give them the link of `create_share_link`.",
    parameters: Schema.Struct({ domain: boundedString(1_000), records, externalId: optional(ExternalId) }),
    isReadOnly: false,
    nextStep:
      "Nothing is written. Unless `connection.failure` says why it cannot go on, call `create_share_link` with the id of the connection, and give its link to the person who decides.",
    calls: ({ domain, records, ...fields }) => [
      {
        method: "POST",
        path: "/v1/connections",
        body: { intent: { domain, records: encodeRecords(records) }, ...fields },
        headers: { prefer: "wait=20" }
      }
    ]
  }),
  defineTool({
    name: "get_connection",
    title: "Read a connection",
    description: "The state of a connection, its plan with every change and warning, and why it failed, if it did.",
    parameters: OneConnection,
    isReadOnly: true,
    calls: (parameters) => [{ method: "GET", path: pathOf(parameters) }]
  }),
  defineTool({
    name: "list_records",
    title: "Read the records of a connection",
    description:
      "What each name server answers for each record, and for a missing one the diagnosis and how to mend it.",
    parameters: OneConnection,
    isReadOnly: true,
    calls: (parameters) => [{ method: "GET", path: `${pathOf(parameters)}/records` }]
  }),
  defineTool({
    name: "recheck_connection",
    title: "Check the records now",
    description: "Asks the name servers now instead of at the next check.",
    parameters: OneConnection,
    isReadOnly: false,
    calls: (parameters) => [{ method: "POST", path: `${pathOf(parameters)}/recheck` }]
  }),
  defineTool({
    name: "create_share_link",
    title: "Make a link for the person who decides",
    description:
      "A link to the page on which a person chooses how the records get into the zone, approves the plan, enters a credential or disconnects. Only a person may do that: give them the link.",
    parameters: OneConnection,
    isReadOnly: false,
    calls: (parameters) => [{ method: "POST", path: `${pathOf(parameters)}/share-link` }]
  })
]
