import { Effect, Option } from "effect"
import type { ProviderError } from "../ProviderError.ts"
import type { AffectedNames } from "./AffectedNames.ts"

/** How an API lists a zone: all of it in pages, or only the items at one absolute name in lower case. */
interface ZoneListing<Item> {
  readonly perPage: number
  readonly listAll: Effect.Effect<ReadonlyArray<Item>, ProviderError>
  readonly listAt: (name: string) => Effect.Effect<ReadonlyArray<Item>, ProviderError>
  /** Whether the API documents what it lists at such a name; without it, at every name. */
  readonly canListAt?: (name: string) => boolean
}

/**
 * Reads a zone for a write model: all pages first, later only the affected names unless that takes more calls. A name with
 * an escape or in another script needs the whole zone: a filter that misses it would show no records.
 */
export const makeLister = <Item>({ canListAt = () => true, listAll, listAt, perPage }: ZoneListing<Item>) => {
  let calls = 1
  return (names: Option.Option<AffectedNames>): Effect.Effect<ReadonlyArray<Item>, ProviderError> =>
    Option.match(names, {
      onNone: () =>
        Effect.tap(listAll, ({ length }) =>
          Effect.sync(() => {
            calls = Math.ceil(length / perPage)
          })
        ),
      onSome: ({ above, at }) => {
        const affected = [...at.union(above)]
        return affected.length <= calls && affected.every((name) => hasOneSpelling(name) && canListAt(name))
          ? Effect.map(Effect.forEach(affected, listAt), (lists) => lists.flat())
          : listAll
      }
    })
}

const hasOneSpelling = (name: string): boolean => /^[a-z0-9_.*-]+$/.test(name) && !/(^|\.)xn--/.test(name)
