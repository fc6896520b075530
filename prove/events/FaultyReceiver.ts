import { InvalidWebhook, verifyWebhook } from "@domain-connection/client"
import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { EventReceipt } from "./findEventFaults.ts"

/** How a receiver fails: with 500, without an answer, or with a connection that it cuts after the request. */
export type ReceiverFault = "status" | "silence" | "cut"

/** Decides how the receiver answers an attempt, the first with the number 1; it answers with 204 if there is no fault. */
type ChooseFault = (attempt: number) => ReceiverFault | undefined

/** An attempt that a receiver saw. */
export interface ReceivedAttempt {
  readonly webhookId: string
  /** The attempts of this event that it saw, with this one. */
  readonly attempt: number
  /** How long after its transition it came. */
  readonly delayMillis: number
  readonly fault: ReceiverFault | undefined
}

/** A receiver of webhooks that fails as configured, and records everything that it gets. */
export interface FaultyReceiver {
  readonly url: string
  /** In the order in which they came. */
  readonly events: ReadonlyArray<EventReceipt>
  readonly attempts: ReadonlyArray<ReceivedAttempt>
  /** Requests whose signature was wrong. */
  readonly unsigned: ReadonlyArray<string>
  /** The secret, which is known once the endpoint is created. */
  readonly useSecret: (secret: string) => void
}

/** Starts a receiver on loopback, which stops with the scope. */
export const startFaultyReceiver = (chooseFault: ChooseFault) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => listen(chooseFault)),
      ({ stop }) => Effect.promise(stop)
    ),
    ({ receiver }) => receiver
  )

const listen = async (chooseFault: ChooseFault) => {
  const events: Array<EventReceipt> = []
  const attempts: Array<ReceivedAttempt> = []
  const unsigned: Array<string> = []
  const attemptsOf = new Map<string, number>()
  let secret = ""

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const arrivedAt = Date.now()
    const chunks: Array<Uint8Array> = []
    for await (const chunk of request) chunks.push(chunk)
    const event = await verifyWebhook(Buffer.concat(chunks), request.headers, secret)
    const webhookId = String(request.headers["webhook-id"])
    const attempt = (attemptsOf.get(webhookId) ?? 0) + 1
    attemptsOf.set(webhookId, attempt)
    const fault = chooseFault(attempt)
    attempts.push({ webhookId, attempt, delayMillis: arrivedAt - Date.parse(event.timestamp), fault })
    if ("connection" in event.data && event.type !== "connection.erased" && fault !== "status") {
      const { connection, version } = event.data
      const formerState = "formerState" in event.data ? event.data.formerState : undefined
      events.push({
        webhookId,
        connectionId: connection.id,
        type: event.type,
        version,
        formerState,
        state: connection.state
      })
    }
    if (fault === "silence") return
    if (fault === "cut") request.socket.destroy()
    else response.writeHead(fault === "status" ? 500 : 204).end()
  }

  const server = createServer((request, response) => {
    receive(request, response).catch((error: unknown) => {
      // A request that its sender's death cut off says nothing.
      if (error instanceof InvalidWebhook) unsigned.push(error.message)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const receiver: FaultyReceiver = {
    url: `http://127.0.0.1:${port}/webhooks`,
    events,
    attempts,
    unsigned,
    useSecret: (next) => void (secret = next)
  }
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { receiver, stop }
}
