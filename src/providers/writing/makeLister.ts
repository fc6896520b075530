import { Effect, Option } from "effect"
import type { ProviderError } from "../ProviderError.ts"
import type { AffectedNames } from "./AffectedNames.ts"

/** How an API lists a zone: all of it in pages, or what it has at one absolute name in lower case. */
interface ZoneListing<Item> {
  readonly perPage: number
  readonly listAll: Effect.Effect<ReadonlyArray<Item>, ProviderError>
  readonly listAt: (name: string) => Effect.Effect<ReadonlyArray<Item>, ProviderError>
  /** Whether the API documents what it lists at such a name; without it, at every name. */
  readonly canListAt?: (name: string) => boolean
}

/**
 * Makes a function that reads a zone for a write model: all pages of it first, and then the affected names one by one
 * where that takes fewer calls. A name that the provider may spell in another way, with an escape or in another script, has
 * it read the whole zone again: a filter that misses it would show a name without records.
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
        return affected.length < calls && affected.every((name) => hasOneSpelling(name) && canListAt(name))
          ? Effect.map(Effect.forEach(affected, listAt), (lists) => lists.flat())
          : listAll
      }
    })
}

const hasOneSpelling = (name: string): boolean => /^[a-z0-9_.*-]+$/.test(name) && !/(^|\.)xn--/.test(name)
