import type { Template } from "./Template.ts"

/** A provider that is known to take part, by the hosts at which it answers; each is asked by HTTPS only. */
export interface ProviderProfile {
  readonly id: string
  /** Hosts with the path below which they answer, as `_domainconnect` names them. */
  readonly settings: ReadonlyArray<string>
  /** Features of templates that the provider ignores or refuses. */
  readonly ignores: ReadonlyArray<TemplateFeature>
}

export type TemplateFeature =
  | "syncBlock"
  | "sharedServiceName"
  | "multiInstance"
  | "hostRequired"
  | "txtConflictMatchingMode"
  | "essential"
  | "APEXCNAME"

export const featuresOf = (template: Template): ReadonlyArray<TemplateFeature> => {
  const { records } = template
  return [
    ...(template.syncBlock === true ? (["syncBlock"] as const) : []),
    ...(template.sharedServiceName === true ? (["sharedServiceName"] as const) : []),
    ...(template.multiInstance === true ? (["multiInstance"] as const) : []),
    ...(template.hostRequired === true ? (["hostRequired"] as const) : []),
    ...(records.some(({ txtConflictMatchingMode = "None" }) => txtConflictMatchingMode !== "None")
      ? (["txtConflictMatchingMode"] as const)
      : []),
    ...(records.some(({ essential }) => essential === "OnApply") ? (["essential"] as const) : []),
    ...(records.some(({ type }) => type.toUpperCase() === "APEXCNAME") ? (["APEXCNAME"] as const) : [])
  ]
}

/** The features of a template that a provider does not have; a template with any is not offered there. */
export const listIgnoredFeatures = (template: Template, { ignores }: ProviderProfile): ReadonlyArray<TemplateFeature> =>
  featuresOf(template).filter((feature) => ignores.includes(feature))

/** Providers by the hosts that their domains name; sources are the providers' own pages. */
export const providerProfiles: ReadonlyArray<ProviderProfile> = [
  { id: "godaddy", settings: ["domainconnect.api.godaddy.com", "domainconnect.godaddy.com"], ignores: [] },
  { id: "ionos", settings: ["api.domainconnect.ionos.com", "domainconnect.1and1.com"], ignores: [] },
  {
    id: "cloudflare",
    settings: ["api.cloudflare.com/client/v4/dns/domainconnect"],
    // developers.cloudflare.com/dns/reference/domain-connect. It also ignores syncRedirectDomain, which every template has.
    ignores: [
      "syncBlock",
      "sharedServiceName",
      "multiInstance",
      "hostRequired",
      "txtConflictMatchingMode",
      "essential",
      "APEXCNAME"
    ]
  },
  { id: "vercel", settings: ["domainconnect.vercel.com"], ignores: [] },
  { id: "squarespace", settings: ["domains.squarespace.com"], ignores: [] },
  { id: "wordpresscom", settings: ["public-api.wordpress.com"], ignores: [] },
  { id: "glauca", settings: ["dns.glauca.digital/connect"], ignores: [] }
]

/** The profile of the provider that an address of `_domainconnect` belongs to, host and path. */
export const findProfile = (
  address: string,
  profiles: ReadonlyArray<ProviderProfile> = providerProfiles
): ProviderProfile | undefined => {
  const asked = address.toLowerCase().replace(/\/$/, "")
  return profiles.find(({ settings }) => settings.some((known) => asked === known || asked.startsWith(`${known}/`)))
}
