import { Options } from "@effect/cli"
import { Array, Option, Predicate } from "effect"
import { BadInput } from "./BadInput.ts"
import { json } from "../options.ts"

const makeTextOption = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.optional)

const caseOptions = {
  domain: makeTextOption("domain", "The domain for which to plan."),
  zoneName: makeTextOption("zone-name", "The name of the zone: the domain, which is the default, or a name above it."),
  intent: makeTextOption("intent", "JSON file with the intent, as the API takes it; the domain may be left out."),
  zone: makeTextOption("zone", "JSON file with the whole zone: an array of {host, type, value, ttl, priority?}."),
  zoneFile: makeTextOption("zone-file", "The whole zone as an RFC 1035 master file."),
  provider: makeTextOption(
    "provider",
    "Id of the provider of a zone from a file, such as cloudflare; one of your own with PROVIDERS_FILE."
  ),
  capabilities: makeTextOption(
    "capabilities",
    "What that provider can do, such as cnameFlattening=unsupported,caaRecords=supported."
  ),
  context: makeTextOption(
    "context",
    'JSON file with DNS answers outside the zone: {"answers": {"<name>": {"TXT": ["…"]}}}.'
  )
}

export const planOptions = {
  ...caseOptions,
  stdin: Options.boolean("stdin").pipe(
    Options.withDescription("Read a case from each line of standard input, and write a line of JSON for each.")
  ),
  json
}

/** The parsed options; `intent`, `zone`, `zoneFile` and `context` are paths. */
export type PlanOptions = { readonly [_ in keyof typeof caseOptions]: Option.Option<string> } & {
  readonly stdin: boolean
  readonly json: boolean
}

/** Finds an option of `plan` that is given without its value, which @effect/cli takes for an unknown one. */
export const findMissingValue = ([command, ...args]: ReadonlyArray<string>): Option.Option<string> =>
  command !== "plan"
    ? Option.none()
    : Option.map(
        Array.findFirst(args, (arg, at) => valueOptions.has(arg) && /^(--|$)/.test(args[at + 1] ?? "")),
        (option) => `${option} needs a value; see plan --help`
      )

const valueOptions: ReadonlySet<string> = new Set(
  Object.keys(caseOptions).map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
)

/** Checks for options that are missing or exclude each other. */
export const checkPlanOptions = (options: PlanOptions): Option.Option<BadInput> =>
  Option.map(
    Array.findFirst(options.stdin ? stdinMisuses : singleCaseMisuses, ({ applies }) => applies(options)),
    ({ message }) => new BadInput({ code: "invalid_option", message })
  )

interface Misuse {
  readonly applies: (options: PlanOptions) => boolean
  readonly message: string
}

const has =
  (...names: ReadonlyArray<keyof typeof caseOptions>) =>
  (options: PlanOptions): boolean =>
    names.some((name) => Option.isSome(options[name]))

const zoneDescription = ["zoneName", "provider", "capabilities", "context"] as const

const stdinMisuses: ReadonlyArray<Misuse> = [
  {
    applies: has("domain", "intent", "zone", "zoneFile", ...zoneDescription),
    message: "--stdin takes everything from its lines; no other option but --json goes with it"
  }
]

const singleCaseMisuses: ReadonlyArray<Misuse> = [
  { applies: Predicate.not(has("domain")), message: "--domain is missing: the domain for which to plan" },
  { applies: Predicate.not(has("intent")), message: "--intent is missing: a JSON file with the desired records" },
  { applies: Predicate.and(has("zone"), has("zoneFile")), message: "--zone and --zone-file exclude each other" },
  {
    applies: Predicate.and(has(...zoneDescription), Predicate.not(has("zone", "zoneFile"))),
    message:
      "--zone-name, --provider, --capabilities and --context describe a zone from a file (--zone, --zone-file); " +
      "without one they come from detection in the public DNS"
  }
]
