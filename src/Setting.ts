import { Config, ConfigError, Either, Option } from "effect"

/** One environment variable: what it may be, what holds without it, what it is for. The README shows this table. */
export interface Setting {
  readonly name: string
  readonly allowed: string
  readonly fallback: string
  readonly meaning: string
}

const table: Array<Setting> = []

/** Every setting that was made, in that order. */
export const declaredSettings: ReadonlyArray<Setting> = table

/** An empty variable is as good as none, unless `variable` lets it through. */
export const setting = <A>(
  about: Setting,
  read: (text: string) => Option.Option<A>,
  otherwise: () => A,
  variable: (name: string) => Config.Config<string> = Config.nonEmptyString
): Config.Config<A> => {
  table.push(about)
  return variable(about.name).pipe(
    Config.mapOrFail((text) =>
      Either.fromOption(read(text.trim()), () => ConfigError.InvalidData([about.name], `must be ${about.allowed}`))
    ),
    Config.orElseIf({ if: ConfigError.isMissingDataOnly, orElse: () => Config.sync(otherwise) })
  )
}

export const parseInteger = (minimum: number, maximum: number) => (text: string) =>
  Option.liftPredicate(/^\d{1,9}$/.test(text) ? Number(text) : -1, (value) => value >= minimum && value <= maximum)

export const parseBoolean = (text: string) =>
  Option.map(
    Option.liftPredicate(text.toLowerCase(), (word) => word === "true" || word === "false"),
    (word) => word === "true"
  )

export const parseText = (text: string) => Option.some(text)

export const parseList =
  <A>(one: (text: string) => Option.Option<A>) =>
  (text: string): Option.Option<ReadonlyArray<A>> =>
    Option.all(
      text
        .split(",")
        .filter((part) => part.trim() !== "")
        .map((part) => one(part.trim()))
    )
