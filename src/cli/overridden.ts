import { Array, Either, Record, Schema } from "effect"
import { Capabilities, Capability } from "../domain/Provider.ts"
import { BadInput, unfit } from "./BadInput.ts"
import { quoted } from "./printable.ts"

/** Capabilities with some of them said anew, as an object or like `cnameFlattening=unsupported,caaRecords=supported`. */
export const overridden = (
  known: Capabilities,
  given: string | Readonly<Record<string, string>> = {}
): Either.Either<Capabilities, BadInput> => {
  const [issues, said] = Array.partitionMap(typeof given === "string" ? entriesIn(given) : Object.entries(given), judge)
  return issues.length === 0
    ? Either.right({ ...known, ...Record.fromEntries(said) })
    : Either.left(new BadInput({ code: "invalid_request", message: unfit, issues: issues.slice(0, maxIssues) }))
}

const maxIssues = 20

const entriesIn = (text: string): ReadonlyArray<readonly [string, string]> =>
  text
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const [name = "", ...value] = part.split("=")
      return [name.trim(), value.join("=").trim()]
    })

const judge = ([name, value]: readonly [string, string]) => {
  if (!isName(name)) return refuse("unknown_capability", `there is no ${quoted(name)}; it may be ${names.join(", ")}`)
  return isCapability(value)
    ? Either.right([name, value] as const)
    : refuse("unknown_value", `${name} cannot be ${quoted(value)}; it may be ${Capability.literals.join(", ")}`)
}

const isName = Schema.is(Schema.keyof(Capabilities))
const isCapability = Schema.is(Capability)
const names = Object.keys(Capabilities.fields)

const refuse = (code: string, message: string) => Either.left({ pointer: "/capabilities", code, message })
