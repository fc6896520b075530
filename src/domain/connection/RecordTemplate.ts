import { Either, Schema } from "effect"
import { apexHost, type DomainName, parseDomain, registeredDomainOf, toFqdn, toZoneHost } from "../names/DomainName.ts"
import type { ValueIssue } from "../error/ErrorDetail.ts"
import { IntentRequest, resolveIntent } from "./Intent.ts"

type RequestedRecords = IntentRequest["records"]

/** What a customer connects: the domain that somebody registered, and the host in it. */
export interface EnteredAddress {
  readonly domain: DomainName
  readonly host: string
}

/** Divides a name that a customer typed at the domain that somebody registered. */
export const parseEnteredAddress = (text: string): Either.Either<EnteredAddress, ValueIssue> =>
  Either.map(parseDomain(text), (name) => {
    const domain = registeredDomainOf(name)
    return { domain, host: toZoneHost(name, domain) }
  })

/** The intent that a template gives for what a customer connects. */
export const fillRecordTemplate = (
  template: RequestedRecords,
  { domain, host }: EnteredAddress
): Pick<IntentRequest, "domain" | "records"> => ({
  domain,
  records: template.map(({ alternatives, ...record }) => {
    const filled = fillHost(record.host, host)
    return {
      ...record,
      host: filled,
      value: record.value.replaceAll("{name}", toFqdn(host, domain)),
      // Only a CNAME at the apex has others.
      ...(alternatives === undefined || filled !== apexHost ? {} : { alternatives })
    }
  })
})

/** `_verify.{host}` is `_verify.shop`, and `_verify` at the apex. */
const fillHost = (text: string, host: string): string => {
  const labels = text.split(".").flatMap((label) => (label !== "{host}" ? label : host === apexHost ? [] : host))
  return labels.length === 0 ? apexHost : labels.join(".")
}

/** The records that each domain gets which customers of an application enter. */
export const RecordTemplate = IntentRequest.fields.records
  .pipe(
    Schema.filter(
      (template) =>
        ["example.com", "shop.example.com"].every((name) =>
          Either.match(parseEnteredAddress(name), {
            onLeft: () => false,
            onRight: (address) => Either.isRight(resolveIntent(fillRecordTemplate(template, address)))
          })
        ),
      { message: () => "must give valid records for a domain and for a subdomain, in place of {host} and {name}" }
    )
  )
  .annotations({
    description:
      "The records that a domain gets which a customer types in the component. `{host}` in a host stands for what is connected, relative to the registrable domain (`@`, `www`), `{name}` in a value for its full name."
  })
