/** One event of a `text/event-stream` (HTML standard, section 9.2). */
export interface ServerSentEvent {
  readonly id: string
  readonly name: string
  readonly data: string
}

/** Reads the events of a stream, which `EventSource` cannot do with an `authorization` header. Fails after 70 silent seconds. */
export async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  try {
    for (;;) {
      const { done, value } = await withTimeout(maxSilence, reader.read())
      if (done) return
      text += decoder.decode(value, { stream: true }).replaceAll("\r", "")
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      yield* blocks.map(parseEvent).filter(({ data }) => data !== "")
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** Longer than the interval of heartbeats, in milliseconds. */
const maxSilence = 70_000

const withTimeout = <A>(milliseconds: number, promise: Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the stream is silent")), milliseconds)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })

const parseEvent = (block: string): ServerSentEvent => {
  const lines = block.split("\n")
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ""))
  return {
    id: valuesOf("id").at(-1) ?? "",
    name: valuesOf("event").at(-1) ?? "message",
    data: valuesOf("data").join("\n")
  }
}
