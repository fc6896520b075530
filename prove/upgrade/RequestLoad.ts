import { Effect, Ref } from "effect"
import { type ApiClient, type ApiResponse, makeApiClient, type UnansweredRequest } from "../ApiClient.ts"
import { seededRandom } from "../seededRandom.ts"

/** What the requests of a load met. */
export interface LoadFigures {
  readonly requests: number
  /** Those that were answered well only when they were sent again. */
  readonly repeated: number
  /** Those that were not answered well the second time either, each with both answers. */
  readonly failed: ReadonlyArray<string>
  readonly longestMillis: number
}

/** Clients that create, read and list connections, and issue browser tokens, through the processes of a service in turns. */
export interface RequestLoad {
  /** Sends to these processes from now on, as a load balancer does. */
  readonly sendTo: (urls: ReadonlyArray<string>) => Effect.Effect<void>
  /** Takes the figures since the last time. */
  readonly takeFigures: Effect.Effect<LoadFigures>
}

interface LoadSettings {
  readonly urls: ReadonlyArray<string>
  readonly key: string
  readonly seed: number
  /** Connections of the tenant of the key. */
  readonly ids: ReadonlyArray<string>
  /** The domain whose subdomains are connected. */
  readonly domain: string
}

/** Starts the clients. They stop with the scope. */
export const startRequestLoad = ({ domain, ids, key, seed, urls }: LoadSettings) =>
  Effect.gen(function* () {
    const apis = yield* Ref.make(urls.map((url) => makeApiClient(url, key)))
    const random = seededRandom(seed)
    let figures = noFigures()
    let sent = 0
    const idAtRandom = () => ids[Math.floor(random() * ids.length)] ?? ""
    const nextRequest = (): ((api: ApiClient) => Effect.Effect<ApiResponse, UnansweredRequest>) => {
      const nth = sent++
      const kind = nth % 10
      if (kind === 0) {
        const intent = { domain: `c${nth}.${domain}`, records: [{ host: "@", type: "TXT", value: `load=${nth}` }] }
        return ({ post }) => post("/v1/connections", { intent }, { "idempotency-key": `load-${seed}-${nth}` })
      }
      if (kind < 4) {
        const id = idAtRandom()
        return ({ post }) => post(`/v1/connections/${id}/access-token`, { origin: "https://shop.example.com" })
      }
      if (kind < 6) return ({ get }) => get("/v1/connections?limit=20")
      const id = idAtRandom()
      return ({ get }) => get(`/v1/connections/${id}`)
    }
    const measure = (request: Effect.Effect<ApiResponse, UnansweredRequest>) =>
      Effect.gen(function* () {
        const startedAt = performance.now()
        const answer = yield* Effect.match(request, {
          onFailure: ({ cause }) => ({ isGood: false, text: String(cause) }),
          onSuccess: ({ body, status }) => ({ isGood: status < 300, text: `${status} ${body?.error?.code ?? ""}` })
        })
        figures.longestMillis = Math.max(figures.longestMillis, performance.now() - startedAt)
        return answer
      })
    const sendOne = Effect.gen(function* () {
      const request = nextRequest()
      const sendToOne = Effect.flatMap(apis, (all) => {
        const api = all[Math.floor(random() * all.length)]
        return api === undefined ? Effect.dieMessage("no process to send to") : measure(request(api))
      })
      figures.requests += 1
      const first = yield* sendToOne
      if (first.isGood) return
      yield* Effect.sleep("100 millis")
      const second = yield* sendToOne
      if (second.isGood) figures.repeated += 1
      else figures.failed.push(`${first.text}, then ${second.text}`)
    })
    const client = Effect.forever(Effect.zipRight(sendOne, Effect.sleep("40 millis")))
    yield* Effect.forEach(Array.from({ length: clients }), () => Effect.forkScoped(client))
    const load: RequestLoad = {
      sendTo: (next) =>
        Ref.set(
          apis,
          next.map((url) => makeApiClient(url, key))
        ),
      takeFigures: Effect.sync(() => {
        const taken = figures
        figures = noFigures()
        return taken
      })
    }
    return load
  })

const clients = 6

const noFigures = () => ({ requests: 0, repeated: 0, failed: new Array<string>(), longestMillis: 0 })
