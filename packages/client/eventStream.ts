/** Longer than two of the comments that the service sends every 15 seconds. */
const silenceMillis = 40_000

/** Reads the events of a stream (WHATWG HTML, server-sent events), each with its data parsed as JSON, until it ends. */
export const readEventStream = async function* (response: Response): AsyncGenerator<unknown, void> {
  if (response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  try {
    for (;;) {
      const { done, value } = await readInTime(reader)
      if (done) return
      text = (text + decoder.decode(value, { stream: true })).replaceAll("\r\n", "\n")
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

interface Piece {
  readonly done: boolean
  readonly value?: Uint8Array | undefined
}

/** A connection that is gone may look like one on which nothing happens, but for the comments. */
const readInTime = async (reader: { readonly read: () => Promise<Piece> }): Promise<Piece> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<Piece>((resolve) => {
    timer = setTimeout(() => resolve({ done: true }), silenceMillis)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}

const parseEvent = (block: string): unknown => {
  const fields: Record<string, string> = {}
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (name !== "") fields[name] = name in fields ? `${fields[name]}\n${value}` : value
  }
  const { data, event, id } = fields
  return data === undefined ? undefined : { event, ...(id === undefined ? {} : { id }), data: JSON.parse(data) }
}
