import { Array, Option } from "effect"
import type { Provider } from "../../domain/provider/Provider.ts"
import { findProfile } from "../../domainConnect/providerProfiles.ts"
import { parseAddress } from "../../domainConnect/Settings.ts"

/** Name servers from which several providers serve zones, so that their names do not tell whose a zone is. */
export interface SharedNameServers {
  /** Matches the name servers, in normal form. */
  readonly pattern: RegExp
  /** The ids of the known providers, the likeliest first; there may be others, such as resellers. */
  readonly candidates: ReadonlyArray<Provider["id"]>
  /** Candidates by the mailbox that only they write into the SOA records of their zones (RNAME, RFC 1035 section 3.3.13). */
  readonly contacts?: Readonly<Record<string, Provider["id"]>>
}

/** Shared name servers by their suffix's provider, from public records of zones and the providers' own pages. */
export const sharedNameServers: Readonly<Record<Provider["id"], SharedNameServers>> = {
  // NS1's shared network; its customers may have dedicated ones (IBM: "Nameserver assignments"). NS1 and others leave
  // its own mailbox in the SOA, so that it tells nothing.
  nsone: {
    pattern: /^dns[1-4]\.p(0[1-9]|10)\.nsone\.net$/,
    candidates: ["netlify", "squarespace", "nsone"],
    contacts: { "domains+netlify.netlify.com": "netlify" }
  },
  // Zones of the former Google Domains stayed here, with the same mailbox, and are managed at Squarespace.
  googleclouddns: { pattern: /\.googledomains\.com$/, candidates: ["squarespace", "googleclouddns"] },
  // Public lists give these servers to Namecheap and to parking, too.
  namesilo: { pattern: /\.dnsowl\.com$/, candidates: ["namesilo"] },
  fasthosts: { pattern: /\.livedns\.co\.uk$/, candidates: ["fasthosts", "123reg"] },
  // Resellers serve the zones of their customers from the servers of these three.
  cnr: { pattern: /\.rrpproxy\.net$/, candidates: ["cnr"] },
  enom: { pattern: /\.name-services\.com$/, candidates: ["enom"] },
  opensrs: { pattern: /\.systemdns\.com$/, candidates: ["opensrs"] }
}

/** The answers of a zone on shared name servers, as values of records; empty where there was none. */
export interface SecondLook {
  readonly soa: ReadonlyArray<string>
  /** The TXT records at `_domainconnect` of the zone. */
  readonly domainConnect: ReadonlyArray<string>
}

/** The candidate that the SOA names, which its provider writes, else Domain Connect, perhaps copied from another. */
export const findByZone = (
  { candidates, contacts = {} }: Pick<SharedNameServers, "candidates" | "contacts">,
  { domainConnect, soa }: SecondLook
): Option.Option<{ readonly id: Provider["id"]; readonly method: "domain_connect" | "soa" }> => {
  const byContact = soa.flatMap((value) => contacts[value.split(" ")[1]?.toLowerCase().replace(/\.$/, "") ?? ""] ?? [])
  const byDomainConnect = domainConnect.flatMap((text) => {
    const address = parseAddress(text)
    return address === undefined ? [] : (findProfile(address)?.id ?? [])
  })
  return Option.orElse(
    Option.map(Array.head(byContact), (id) => ({ id, method: "soa" as const })),
    () =>
      Option.map(
        Array.findFirst(byDomainConnect, (id) => candidates.includes(id)),
        (id) => ({ id, method: "domain_connect" as const })
      )
  )
}
