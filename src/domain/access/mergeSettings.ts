import { Record, Schema } from "effect"
import { optional } from "../values/boundedSchemas.ts"

/** A setting in a change of single settings: `null` removes it, and it stays if it is absent. */
export const removable = <A, I>(setting: Schema.Schema<A, I>) => optional(Schema.NullOr(setting))

/** Merges a change into settings (RFC 7396): a value takes the place of another one, `null` removes it, the others stay. */
export const mergeSettings = (settings: object, change: object): { readonly [setting: string]: unknown } =>
  Record.filter({ ...settings, ...change }, (value) => value !== null)

/** Lists the settings that have another value than their default, and that a replacement of all settings leaves out. */
export const listOmittedSettings = <Name extends string>(
  names: ReadonlyArray<Name>,
  current: { readonly [name in Name]?: unknown },
  replacement: { readonly [name in Name]?: unknown },
  defaults: { readonly [name in Name]?: unknown } = {}
): ReadonlyArray<Name> => names.filter((name) => replacement[name] === undefined && current[name] !== defaults[name])
