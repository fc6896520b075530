import { Options } from "@effect/cli"
import { Array, Option, Predicate } from "effect"
import { BadInput } from "./BadInput.ts"

const text = (name: string, description: string) =>
  Options.text(name).pipe(Options.withDescription(description), Options.optional)

/** What one case is put together from. */
const parts = {
  domain: text("domain", "The domain for which to plan."),
  zoneName: text("zone-name", "Where the zone begins: the domain, which is the default, or a name above it."),
  intent: text("intent", "JSON file with what is wanted, as the API takes it; the domain may be left out."),
  zone: text("zone", "JSON file with the whole zone: an array of {host, type, value, ttl, priority?}."),
  zoneFile: text("zone-file", "The whole zone as an RFC 1035 master file."),
  provider: text("provider", "Id of the provider of a zone from a file, such as cloudflare."),
  capabilities: text(
    "capabilities",
    "What that provider can do, such as cnameFlattening=unsupported,caaRecords=supported."
  ),
  context: text("context", 'JSON file with what the DNS answers elsewhere: {"answers": {"<name>": {"TXT": ["…"]}}}.')
}

/** The options of `plan`. */
export const planOptions = {
  ...parts,
  stdin: Options.boolean("stdin").pipe(
    Options.withDescription("Read a case from each line of standard input, and write a line of JSON for each.")
  ),
  json: Options.boolean("json").pipe(Options.withDescription("Print JSON for scripts."))
}

/** The options as they were given; `intent`, `zone`, `zoneFile` and `context` are paths. */
export type PlanOptions = { readonly [_ in keyof typeof parts]: Option.Option<string> } & {
  readonly stdin: boolean
  readonly json: boolean
}

/** Says which options are missing or do not go together. */
export const checkPlanOptions = (options: PlanOptions): Option.Option<BadInput> =>
  Option.map(
    Array.findFirst(options.stdin ? ofLines : ofOneCase, ({ isAt }) => isAt(options)),
    ({ message }) => new BadInput({ code: "invalid_option", message })
  )

interface Misuse {
  readonly isAt: (options: PlanOptions) => boolean
  readonly message: string
}

const has =
  (...names: ReadonlyArray<keyof typeof parts>) =>
  (options: PlanOptions): boolean =>
    names.some((name) => Option.isSome(options[name]))

const aboutZone = ["zoneName", "provider", "capabilities", "context"] as const

const ofLines: ReadonlyArray<Misuse> = [
  {
    isAt: has("domain", "intent", "zone", "zoneFile", ...aboutZone),
    message: "--stdin takes everything from its lines; no other option but --json goes with it"
  }
]

const ofOneCase: ReadonlyArray<Misuse> = [
  { isAt: Predicate.not(has("domain")), message: "--domain is missing: the domain for which to plan" },
  { isAt: Predicate.not(has("intent")), message: "--intent is missing: a JSON file with what is wanted" },
  { isAt: Predicate.and(has("zone"), has("zoneFile")), message: "--zone and --zone-file exclude each other" },
  {
    isAt: Predicate.and(has(...aboutZone), Predicate.not(has("zone", "zoneFile"))),
    message:
      "--zone-name, --provider, --capabilities and --context describe a zone from a file (--zone, --zone-file); " +
      "without one they come from detection in the public DNS"
  }
]
