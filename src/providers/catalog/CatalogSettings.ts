import { Option, Record, Schema } from "effect"
import { unknownProvider, catalog } from "./catalog.ts"
import type { CatalogAdapters } from "./catalogAdapters.ts"

/** What the operator sets for one provider of the catalog. */
export const CatalogSettings = Schema.Struct({
  id: Schema.String,
  /** Switches the adapter off: customers enter the records by hand. */
  implementation: Schema.optionalWith(Schema.Literal("manual"), { exact: true }),
  /** The OAuth client that the operator has registered at the provider. */
  oauth: Schema.optionalWith(
    Schema.Struct({ clientId: Schema.NonEmptyString, clientSecret: Schema.Redacted(Schema.NonEmptyString) }),
    { exact: true }
  )
})
export type CatalogSettings = typeof CatalogSettings.Type

/** The ids that only providers of the catalog have. */
export const catalogIds: ReadonlySet<string> = new Set([
  unknownProvider.id,
  ...catalog.map(({ provider }) => provider.id)
])

/** Finds what the operator cannot set for a provider of the catalog, by field; without one, nothing is set. */
export const findSettingsFaults = (
  { id, implementation, oauth }: CatalogSettings,
  adapters: CatalogAdapters
): ReadonlyArray<{ readonly field?: keyof CatalogSettings; readonly message: string }> => {
  if (!catalogIds.has(id) || id === unknownProvider.id)
    return [{ field: "id", message: "is not the id of a provider in the catalog; one of your own needs an adapter" }]
  const adapter = Record.get(adapters, id)
  if (Option.isNone(adapter))
    return [{ field: "id", message: "is a provider without an adapter: its customers enter the records by hand" }]
  if (oauth === undefined)
    return implementation === undefined ? [{ message: 'must have oauth, or "implementation": "manual"' }] : []
  if (implementation !== undefined)
    return [{ field: "oauth", message: 'must not be set together with "implementation": "manual"' }]
  return adapter.value.authorizationServer === undefined
    ? [{ field: "oauth", message: "must not be set: this provider has no OAuth that the service can use" }]
    : []
}
