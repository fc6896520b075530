import { Config, ConfigError, Duration, Either, Option } from "effect"
import { defaultStateTimeouts, type StateTimeouts } from "../lifecycle/state/StateTimeouts.ts"

/** One environment variable, as the documentation lists it: allowed values, default and meaning, all in words. */
export interface Setting {
  readonly name: string
  readonly allowed: string
  readonly fallback: string
  readonly meaning: string
  /** The secret part of the value: all of it, or the credentials in a URL. */
  readonly secret?: "all" | "credentials"
}

/** A declared setting, and how its text is read from the environment. */
export interface DeclaredSetting extends Setting {
  readonly variable: Config.Config<string>
}

const declarations: Array<DeclaredSetting> = []

/** Every setting that was declared, in that order. */
export const declaredSettings: ReadonlyArray<DeclaredSetting> = declarations

/**
 * Declares a setting: how its text is parsed, and its default. An empty variable counts as absent, unless `variable`
 * lets it through.
 */
export const declareSetting = <A>(
  declaration: Setting,
  parse: (text: string) => Option.Option<A>,
  fallback: () => A,
  variable: (name: string) => Config.Config<string> = Config.nonEmptyString
): Config.Config<A> => {
  const { allowed, name } = declaration
  declarations.push({ ...declaration, variable: variable(name) })
  return variable(name).pipe(
    Config.mapOrFail((text) =>
      Either.fromOption(parse(text.trim()), () => ConfigError.InvalidData([name], `must be ${allowed}`))
    ),
    Config.orElseIf({ if: ConfigError.isMissingDataOnly, orElse: () => Config.sync(fallback) })
  )
}

export const declareInteger = (
  name: string,
  [minimum, maximum]: readonly [number, number],
  fallback: number,
  meaning: string
): Config.Config<number> =>
  declareSetting(
    { name, allowed: `a whole number from ${minimum} to ${maximum}`, fallback: String(fallback), meaning },
    parseInteger(minimum, maximum),
    () => fallback
  )

/** A setting that is one of the state timeouts: from 1 to `maximum` units. */
export const declareTimeout = (
  name: string,
  unit: "seconds" | "minutes" | "hours",
  maximum: number,
  timeout: keyof StateTimeouts,
  meaning: string
): Config.Config<Duration.Duration> =>
  declareSetting(
    {
      name,
      allowed: `a whole number of ${unit} from 1 to ${maximum}`,
      fallback: String(Duration.toSeconds(defaultStateTimeouts[timeout]) / secondsIn[unit]),
      meaning: `${meaning} In ${unit}.`
    },
    (text) => Option.map(parseInteger(1, maximum)(text), (count) => Duration.seconds(count * secondsIn[unit])),
    () => defaultStateTimeouts[timeout]
  )

const secondsIn = { seconds: 1, minutes: 60, hours: 3_600 } as const

export const parseInteger = (minimum: number, maximum: number) => (text: string) =>
  Option.liftPredicate(/^\d{1,9}$/.test(text) ? Number(text) : -1, (value) => value >= minimum && value <= maximum)

export const parseBoolean = (text: string) =>
  Option.map(
    Option.liftPredicate(text.toLowerCase(), (word) => word === "true" || word === "false"),
    (word) => word === "true"
  )

export const parseText = (text: string) => Option.some(text)

/** Parses a list separated by commas; empty items do not count. */
export const parseList =
  <A>(parseItem: (text: string) => Option.Option<A>) =>
  (text: string): Option.Option<ReadonlyArray<A>> =>
    Option.all(
      text
        .split(",")
        .filter((item) => item.trim() !== "")
        .map((item) => parseItem(item.trim()))
    )
