import type { ZoneQuestioner } from "./AuthoritativeZone.ts"

/** The result of a check (RFC 7208 section 2.6). */
type SpfResult = "pass" | "neutral" | "softfail" | "fail" | "none" | "permerror"

const qualifiers: Readonly<Record<string, SpfResult>> = { "+": "pass", "?": "neutral", "~": "softfail", "-": "fail" }

class PermError extends Error {}

/**
 * Checks whether an IPv4 address may send mail of a domain (RFC 7208 section 4): `check_host` for the mechanisms `all`,
 * `include`, `a`, `mx`, `exists`, `ip4` and the modifier `redirect`, with the limits of section 4.6.4. Written from the RFC for tests.
 */
export const evaluateSpf = (address: string, domain: string, ask: ZoneQuestioner): SpfResult => {
  const used = { lookups: 0, voids: 0 }
  const count = (): void => {
    used.lookups += 1
    if (used.lookups > 10) throw new PermError("too many lookups")
  }
  const query = (name: string, type: string): ReadonlyArray<string> => {
    const values = ask(name, type)
    if (values.length === 0) used.voids += 1
    if (used.voids > 2) throw new PermError("too many void lookups")
    return values
  }
  const check = (name: string): SpfResult => {
    const records = ask(name, "TXT").filter((text) => /^v=spf1( |$)/i.test(text))
    if (records.length === 0) return "none"
    if (records.length > 1) throw new PermError("several records")
    const terms = (records[0] ?? "")
      .split(/ +/)
      .slice(1)
      .filter((term) => term !== "")
    if (!terms.every((term) => syntax.test(term)) || terms.filter((term) => /^redirect=/i.test(term)).length > 1) {
      throw new PermError("syntax")
    }
    for (const term of terms.filter((each) => !/^[a-z]+=/i.test(each))) {
      const [, sign = "", mechanism = "", argument = ""] = /^([-+?~]?)([a-z0-9]+)[:]?(.*)$/i.exec(term) ?? []
      if (matches(mechanism.toLowerCase(), argument.toLowerCase(), name)) return qualifiers[sign || "+"] ?? "neutral"
    }
    const redirect = terms.find((term) => /^redirect=/i.test(term))
    if (redirect === undefined) return "neutral"
    count()
    const result = check(redirect.slice("redirect=".length).toLowerCase())
    if (result === "none") throw new PermError("redirect without a record")
    return result
  }
  const matches = (mechanism: string, argument: string, name: string): boolean => {
    if (mechanism === "all") return true
    if (mechanism === "ip4") return isInNetwork(address, argument)
    count()
    const target = argument || name
    if (mechanism === "a") return query(target, "A").includes(address)
    if (mechanism === "exists") return query(target, "A").length > 0
    if (mechanism === "mx") {
      const servers = query(target, "MX")
      if (servers.length > 10) throw new PermError("too many names")
      return servers.flatMap((server) => ask(server, "A")).includes(address)
    }
    const included = check(target)
    if (included === "none") throw new PermError("include without a record")
    return included === "pass"
  }
  try {
    return check(domain)
  } catch (error) {
    if (error instanceof PermError) return "permerror"
    throw error
  }
}

const syntax =
  /^(?:[-+?~]?(?:all|(?:a|mx)(?::[a-z0-9._-]+)?|(?:include|exists):[a-z0-9._-]+|ip4:\d+(?:\.\d+){3}(?:\/\d+)?)|[a-z]+=.+)$/i

const isInNetwork = (address: string, network: string): boolean => {
  const [base = "", length = "32"] = network.split("/")
  const size = 2 ** (32 - Number(length))
  return Math.floor(toNumber(address) / size) === Math.floor(toNumber(base) / size)
}

const toNumber = (address: string): number => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0)
