import { Record } from "effect"
import type { ProofScenario } from "./recordExchanges.ts"

/** What must not be in a recording. */
export interface RecordedSecrets {
  /** All values of the credential. */
  readonly secrets: ReadonlyArray<string>
  /** The zone of the proof, in lower case. */
  readonly zone: string
}

/** What stands in a recording for the zone. */
export const zonePlaceholder = "zone.example"

/**
 * The scenarios without what is private: the credential in every encoding that an API uses, the zone, whatever a field
 * that is named after an account, an owner or a person contains, there and everywhere else, addresses of mail, and
 * identifiers. An identifier has the same replacement wherever it stands, so that the steps still fit together.
 */
export const redactScenarios = (
  scenarios: ReadonlyArray<ProofScenario>,
  { secrets, zone }: RecordedSecrets
): ReadonlyArray<ProofScenario> => {
  const hideSecrets = makeReplacement(secrets.flatMap(encodingsOf), hidden)
  const hidePrivate = makeReplacement(findPrivateTexts(scenarios), hidden)
  const nameZone = makeReplacement([zone, zone.replaceAll(".", "-")], zonePlaceholder)
  const identifiers = new Map<string, string>()
  const redactName = (text: string) => nameZone(hideSecrets(text))
  const redactText = (text: string) =>
    redactName(hidePrivate(hideSecrets(text)))
      .replace(emailAddress, "somebody@example.net")
      .replace(xmlElement, (found, name) => (isPrivateName(name) ? `<${name}>${hidden}</${name}>` : found))
      .replace(identifier, (found) => toPlaceholder(found, identifiers))
  return scenarios.map(({ interactions, scenario }) => ({
    scenario,
    interactions: interactions.map((exchange) => ({
      ...exchange,
      url: redactText(exchange.url),
      headers: Record.map(exchange.headers, redactText),
      requestBody: mapTexts(exchange.requestBody, { redactName, redactText }),
      responseBody: mapTexts(exchange.responseBody, { redactName, redactText })
    }))
  }))
}

const hidden = "***"

const encodingsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString("base64"),
  Buffer.from(secret).toString("base64url")
]

/** Replaces these texts in any letter case, longer ones first. */
const makeReplacement = (texts: ReadonlyArray<string>, replacement: string): ((text: string) => string) => {
  const patterns = [...new Set(texts)]
    .filter((text) => text !== "")
    .toSorted((one, other) => other.length - one.length)
    .map((text) => RegExp.escape(text))
  const pattern = new RegExp(patterns.join("|"), "gi")
  return (text) => (patterns.length === 0 ? text : text.replace(pattern, () => replacement))
}

const emailAddress = /[\w.+-]+@(?!example\.)[\w-]+\.[\w.-]+\w/g

/** A UUID, a number in hexadecimal digits, what Amazon calls a resource, and its ids of zones and changes. */
const identifier =
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b(?=[a-f]*\d)[\da-f]{20,64}\b|\barn:aws[^\s"'<]*|(?<=\/(?:hostedzone|change)\/)\w+/gi

/** As long as the identifier, and with digits where it has digits and letters. */
const toPlaceholder = (found: string, known: Map<string, string>): string => {
  const key = found.toLowerCase()
  const number = known.get(key) ?? String(known.size + 1)
  known.set(key, number)
  const zeros = found.replace(/[^-]/g, "0")
  return zeros.slice(0, Math.max(0, zeros.length - number.length)) + number
}

/** Names of fields that say who the customer is. */
const privateName =
  /^(account|owner|user|member|team|tenant|organi[sz]ation|project|subscription|customer|contact|email|phone|created_by|updated_by)s?(_|$)|_(account|owner|user|email)s?(_|$)/i

/** The texts in fields with such names, in JSON and XML, that are long enough to be found elsewhere by no accident. */
const findPrivateTexts = (scenarios: ReadonlyArray<ProofScenario>): ReadonlyArray<string> => {
  const found: Array<string> = []
  const visit = (value: unknown, isPrivate: boolean): void => {
    if (typeof value === "string" || typeof value === "number") {
      if (isPrivate) found.push(String(value))
      else for (const [, name = "", text = ""] of String(value).matchAll(xmlElement)) visit(text, isPrivateName(name))
    } else if (value !== null && typeof value === "object")
      for (const [name, inner] of Object.entries(value)) visit(inner, isPrivate || isPrivateName(name))
  }
  for (const { interactions } of scenarios)
    for (const { requestBody, responseBody } of interactions) {
      visit(requestBody, false)
      visit(responseBody, false)
    }
  return found.filter((text) => text.length >= shortestPrivateText)
}

const shortestPrivateText = 6

const xmlElement = /<(\w+)>([^<>]+)<\/\1>/g

/** In camel case too. */
const isPrivateName = (name: string): boolean => privateName.test(name.replace(/(?<=[a-z])(?=[A-Z])/g, "_"))

interface Redaction {
  readonly redactName: (text: string) => string
  readonly redactText: (text: string) => string
}

/** Redacts a value of JSON; a number that is private becomes 0, so that the shape stays. */
const mapTexts = (value: unknown, redaction: Redaction, isPrivate = false): unknown => {
  if (typeof value === "string") return isPrivate ? hidden : redaction.redactText(value)
  if (typeof value === "number") return isPrivate || redaction.redactText(String(value)) !== String(value) ? 0 : value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, redaction, isPrivate))
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      redaction.redactName(name),
      mapTexts(inner, redaction, isPrivate || isPrivateName(name))
    ])
  )
}
