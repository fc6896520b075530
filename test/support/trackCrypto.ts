import { Effect, type Scope } from "effect"

/**
 * Until the scope closes, counts the computations of WebCrypto, which other threads do: 1 when one begins, -1 when it has
 * ended. Time of a test must not pass while one is under way.
 */
export const trackCrypto = (count: (change: 1 | -1) => void): Effect.Effect<void, never, Scope.Scope> =>
  Effect.forEach(methods, (method) => trackCalls(crypto.subtle, method, count), { discard: true })

const methods = ["decrypt", "deriveKey", "digest", "encrypt", "generateKey", "importKey", "sign", "verify"] as const

/** Until the scope closes, counts the calls of a method that returns a promise. */
const trackCalls = <Method extends string>(
  object: Record<Method, (...parameters: any) => Promise<unknown>>,
  method: Method,
  count: (change: 1 | -1) => void
) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const original = object[method]
      object[method] = (...parameters) => {
        count(1)
        return original.apply(object, parameters).finally(() => count(-1))
      }
      return original
    }),
    (original) =>
      Effect.sync(() => {
        object[method] = original
      })
  )
