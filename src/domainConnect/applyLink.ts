import { Either, type Option, type Redacted } from "effect"
import { encodeQuery, signQuery } from "./signature.ts"
import type { Template } from "./Template.ts"
import type { TemplateSolution } from "./solveTemplate.ts"

/** The private key that signs, and the label below `syncPubKeyDomain` at which its public key is published. */
export interface SigningKey {
  readonly label: string
  readonly privateKey: Redacted.Redacted
}

interface UnsignedLinkRequest {
  /** `urlSyncUX` of the provider's settings. */
  readonly syncUrl: string
  readonly template: Template
  readonly domain: string
  readonly host: string
  readonly solution: TemplateSolution
  readonly redirectUri?: string | undefined
  readonly state?: string | undefined
}

export interface ApplyLinkRequest extends UnsignedLinkRequest {
  readonly key: SigningKey
}

export type LinkRefusal =
  | { readonly code: "sync_blocked" }
  | { readonly code: "warns_of_phishing" }
  | { readonly code: "reserved_variable"; readonly variable: string }
  | { readonly code: "foreign_redirect"; readonly domains: string }
  | { readonly code: "link_too_long"; readonly length: number }

/** The signed link (draft-ietf-dconn-domainconnect-05, "The Synchronous Flow"); `sig` and `key` come last. */
export const makeApplyLink = ({ key, ...request }: ApplyLinkRequest): Either.Either<string, LinkRefusal> =>
  Either.flatMap(prepareLink(request), ({ base, query }) => {
    const signature = encodeQuery({ sig: signQuery(query, key.privateKey) })
    return requireFittingLength(`${base}?${query}&${signature}&${encodeQuery({ key: key.label })}`)
  })

/** Why there would be no link with any key whose label has at most 63 characters; none if there would be one. */
export const findLinkRefusal = (request: UnsignedLinkRequest): Option.Option<LinkRefusal> =>
  Either.getLeft(
    Either.flatMap(prepareLink(request), ({ base, query }) =>
      requireFittingLength(`${base}?${query}${"=".repeat(maxSignatureLength)}`)
    )
  )

/** A signature by a key of 4,096 bits in Base64, percent-encoded, and a label, each with its name. */
const maxSignatureLength = 850

const prepareLink = ({
  domain,
  host,
  redirectUri,
  solution: { groups, variables },
  state,
  syncUrl,
  template
}: UnsignedLinkRequest): Either.Either<{ readonly base: string; readonly query: string }, LinkRefusal> => {
  if (template.syncBlock === true) return Either.left({ code: "sync_blocked" })
  if (template.warnPhishing === true) return Either.left({ code: "warns_of_phishing" })
  const variable = Object.keys(variables).find(isReserved)
  if (variable !== undefined) return Either.left({ code: "reserved_variable", variable })
  if (redirectUri !== undefined && !isAllowedRedirect(redirectUri, template.syncRedirectDomain))
    return Either.left({ code: "foreign_redirect", domains: template.syncRedirectDomain ?? "" })
  const query = encodeQuery({
    ...variables,
    domain,
    ...(host === "" ? {} : { host }),
    ...(groups.length === 0 ? {} : { groupId: groups.join(",") }),
    ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
    ...(state === undefined ? {} : { state })
  })
  const ids = [template.providerId, template.serviceId].map(encodeURIComponent)
  const path = `/v2/domainTemplates/providers/${ids[0]}/services/${ids[1]}/apply`
  return Either.right({ base: `${syncUrl.replace(/\/$/, "")}${path}`, query })
}

const requireFittingLength = (link: string): Either.Either<string, LinkRefusal> =>
  link.length > maxLinkLength ? Either.left({ code: "link_too_long", length: link.length }) : Either.right(link)

/** What servers and browsers take; the draft names no bound. */
const maxLinkLength = 8_000

/** Names that a provider reads as something else than a variable. */
export const isReserved = (name: string): boolean => reserved.has(name) || /^(?:dc|vnd)\./.test(name)

const reserved: ReadonlySet<string> = new Set([
  "providerId",
  "serviceId",
  "domain",
  "host",
  "redirect_uri",
  "state",
  "providerName",
  "serviceName",
  "instanceId",
  "groupId",
  "sig",
  "key",
  "crit",
  "client_id",
  "response_type",
  "scope"
])

/** Whether a URL leads to one of the template's domains, or below it. */
export const isAllowedRedirect = (url: string, domains = ""): boolean => {
  const host = URL.canParse(url) ? new URL(url).hostname : ""
  return domains
    .split(",")
    .map((domain) => domain.trim().toLowerCase())
    .some((domain) => domain !== "" && (host === domain || host.endsWith(`.${domain}`)))
}
