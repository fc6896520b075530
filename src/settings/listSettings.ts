import { Array, Config, ConfigProvider, Effect, Option, Redacted } from "effect"
import { suggestName } from "../domain/error/ErrorDetail.ts"
import { isDatabaseUrl, maskPasswords } from "../persistence/postgres/databaseUrl.ts"
import { settings } from "./Config.ts"
import type { Setting } from "./Setting.ts"

/** A setting as it applies to this process; `value` is none where the default applies, and has no secret. */
interface EffectiveSetting {
  readonly name: string
  readonly value: Option.Option<string>
  readonly fallback: string
}

/** A variable that is no setting, and the setting that may be meant. */
interface UnknownSetting {
  readonly name: string
  readonly suggestion: string
}

/** Lists every setting in the order of `docs/configuration.md`, valid or not. */
export const listEffectiveSettings: Effect.Effect<ReadonlyArray<EffectiveSetting>> = Effect.forEach(
  settings,
  (setting) =>
    Effect.map(Effect.option(setting.variable), (value) => ({
      name: setting.name,
      value: Option.map(value, (text) => maskSecrets(setting, text.trim())),
      fallback: setting.fallback
    }))
)

/** Lists the variables of the environment that look like a setting of ours, but are none. */
export const listUnknownSettings: Effect.Effect<ReadonlyArray<UnknownSetting>> = Effect.suspend(() =>
  // A name is one segment here: the default would split it at each underscore.
  ConfigProvider.fromEnv({ pathDelim: "\0", seqDelim: "\0" }).load(Config.hashMap(Config.string()))
).pipe(
  Effect.map((variables) => findUnknownSettings([...variables].map(([name]) => name))),
  Effect.orElseSucceed(() => [])
)

/** Finds names that differ from a setting in a few letters, in case or underscores, or by a prefix with our name. */
export const findUnknownSettings = (names: ReadonlyArray<string>): ReadonlyArray<UnknownSetting> =>
  Array.filterMap(names.toSorted(), (name) =>
    known.includes(name)
      ? Option.none()
      : Option.map(Option.fromNullable(suggestSetting(name)), (suggestion) => ({ name, suggestion }))
  )

const known = settings.map(({ name }) => name)

/** A short name is close to those of other programs, unless it has our prefix. */
const suggestSetting = (name: string): string | undefined => {
  const own = name.replace(/^(DCS|DOMAIN_CONNECTION(_SERVICE)?)_/i, "")
  return own === name && own.length < shortestName ? undefined : suggestName(own, known)
}

const shortestName = 7

const mask = "***"

const maskSecrets = ({ secret }: Setting, text: string): string => {
  if (secret === undefined || text === "") return text
  if (secret === "all") return mask
  if (isDatabaseUrl(text)) return maskPasswords(Redacted.make(text), mask)
  // A URL of another form may have its password anywhere.
  return /^https?:/i.test(text) && URL.canParse(text) ? maskCredentials(new URL(text)) : mask
}

/** In a URL of HTTP a user name or a parameter may be a token. */
const maskCredentials = (url: URL): string => {
  if (url.username !== "") url.username = mask
  if (url.password !== "") url.password = mask
  for (const name of url.searchParams.keys()) url.searchParams.set(name, mask)
  return url.href
}
