import { Effect, type Scope } from "effect"

/** One server-sent event; a comment has the name `:`. */
export interface ReceivedEvent {
  readonly id?: string
  readonly event: string
  readonly data: string
}

/** Reads events one by one; `undefined` marks the end of the stream. The connection closes with the scope. */
export const readServerSentEvents = (
  response: Response
): Effect.Effect<Effect.Effect<ReceivedEvent | undefined>, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => eventsIn(response.body ?? new ReadableStream())),
      (events) => Effect.promise(() => events.return(undefined))
    ),
    (events) =>
      Effect.map(
        Effect.promise(() => events.next()),
        ({ value }) => value
      )
  )

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ReceivedEvent, undefined> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split("\n\n")
    text = blocks.pop() ?? ""
    for (const block of blocks) if (!block.startsWith("retry:")) yield parseEvent(block)
  }
  return undefined
}

const parseEvent = (block: string): ReceivedEvent => {
  const fields = new Map(block.split("\n").map((line) => [line.split(": ")[0], line.slice(line.indexOf(": ") + 2)]))
  const id = fields.get("id")
  return {
    ...(id === undefined ? {} : { id }),
    event: fields.get("event") ?? ":",
    data: fields.get("data") ?? ""
  }
}
