import { Effect, Schedule } from "effect"
import { Webhook } from "standardwebhooks"

/** A request that a receiver got. */
interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly body: any
}

/** Starts a receiver of webhooks on loopback; `answer` gets the number of the request, from 1. */
export const startReceiver = (answer: (nth: number) => Response | Promise<Response> = () => new Response()) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const received: Array<ReceivedWebhook> = []
      const behaviour = { answer }
      const open = { now: 0, most: 0 }
      const server = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        idleTimeout: 0,
        fetch: async (request) => {
          open.now += 1
          open.most = Math.max(open.most, open.now)
          request.signal.addEventListener("abort", () => (open.now -= 1))
          const text = await request.text()
          received.push({ headers: request.headers.toJSON(), text, body: JSON.parse(text) })
          return behaviour.answer(received.length)
        }
      })
      return {
        url: `http://127.0.0.1:${server.port}/webhooks`,
        received,
        /** How many requests it had open at the same time at most, if it answers none. */
        mostOpen: () => open.most,
        answerWith: (next: typeof answer) => void (behaviour.answer = next),
        /** Waits until so many requests have come. */
        awaitRequests: (count: number) =>
          eventually(
            Effect.suspend(() =>
              received.length >= count
                ? Effect.succeed(received)
                : Effect.fail(`only ${received.length} of ${count} requests came`)
            )
          ),
        stop: () => server.stop(true)
      }
    }),
    ({ stop }) => Effect.promise(stop)
  )

export type Receiver = Effect.Effect.Success<ReturnType<typeof startReceiver>>

/** A receiver that keeps its senders waiting for as long as it runs. */
export const startHangingReceiver = startReceiver(() => new Promise<Response>(() => {}))

/** What the library of the receiver makes of a request; it throws if the signature is wrong. */
export const verify = (secret: string, { headers, text }: ReceivedWebhook): unknown =>
  new Webhook(secret).verify(text, headers)

/** Tries until it succeeds. */
export const eventually = <A, E, R>(check: Effect.Effect<A, E, R>) =>
  Effect.retry(check, Schedule.intersect(Schedule.spaced("20 millis"), Schedule.recurs(6_000)))
