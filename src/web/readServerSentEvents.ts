/** One event of a `text/event-stream` (HTML standard, section 9.2). */
export interface ServerSentEvent {
  readonly id: string
  readonly name: string
  readonly data: string
}

/** Reads the events of a stream; `EventSource` could, but cannot send who asks. Gives up on one that is silent. */
export async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  try {
    for (;;) {
      const { done, value } = await within(silence, reader.read())
      if (done) return
      text += decoder.decode(value, { stream: true }).replaceAll("\r", "")
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      yield* blocks.map(eventIn).filter(({ data }) => data !== "")
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** Longer than any heartbeat. In milliseconds. */
const silence = 70_000

const within = <A>(milliseconds: number, promise: Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the stream is silent")), milliseconds)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })

const eventIn = (block: string): ServerSentEvent => {
  const lines = block.split("\n")
  const all = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ""))
  return { id: all("id").at(-1) ?? "", name: all("event").at(-1) ?? "message", data: all("data").join("\n") }
}
