import type { ZoneQuestioner } from "./AuthoritativeZone.ts"

/** What a receiver applies to mail of a domain that fails DMARC, most lenient first in each field. */
interface DmarcVerdict {
  /** 0 for none, 1 for quarantine, 2 for reject. */
  readonly action: number
  /** The percentage of failing mail that it applies to. */
  readonly share: number
  readonly isDkimStrict: boolean
  readonly isSpfStrict: boolean
}

const lenient: DmarcVerdict = { action: 0, share: 100, isDkimStrict: false, isSpfStrict: false }

const actions = ["none", "quarantine", "reject"]

/**
 * Finds what receivers apply to mail of a domain (RFC 9989 sections 4.10 and 5.3, `pct` by RFC 7489 section 6.3): its own
 * record, else that of the highest name above it, by `np` if the domain does not exist. Written from the RFCs for tests.
 */
export const evaluateDmarc = (domain: string, ask: ZoneQuestioner, exists: boolean): DmarcVerdict => {
  const labels = domain.split(".")
  const found = labels
    .slice(0, -1)
    .map((_, depth) => labels.slice(depth).join("."))
    .flatMap((name) => {
      const records = ask(`_dmarc.${name}`, "TXT").filter((text) => /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(text))
      return records.length === 1 ? [{ name, tags: tagsOf(records[0] ?? "") }] : []
    })
  const own = found.find(({ name }) => name === domain)
  if (own !== undefined) return verdictOf(own.tags, "p")
  const above = found.at(-1)
  return above === undefined ? lenient : verdictOf(above.tags, exists ? "sp" : "np")
}

const tagsOf = (text: string): ReadonlyMap<string, string> => {
  const pairs = text.split(";").flatMap((part): ReadonlyArray<readonly [string, string]> => {
    const at = part.indexOf("=")
    return at < 0
      ? []
      : [
          [
            part.slice(0, at).trim().toLowerCase(),
            part
              .slice(at + 1)
              .trim()
              .toLowerCase()
          ]
        ]
  })
  return new Map(pairs.toReversed())
}

const verdictOf = (tags: ReadonlyMap<string, string>, tag: "p" | "sp" | "np"): DmarcVerdict => {
  const p = tags.get("p") ?? "none"
  const sp = tags.get("sp") ?? p
  const named = { p, sp, np: tags.get("np") ?? sp }
  if (Object.values(named).some((policy) => !actions.includes(policy))) return lenient
  const action = Math.max(0, actions.indexOf(named[tag]) - (tags.get("t") === "y" ? 1 : 0))
  return action === 0
    ? lenient
    : {
        action,
        share: /^(\d{1,2}|100)$/.test(tags.get("pct") ?? "") ? Number(tags.get("pct")) : 100,
        isDkimStrict: tags.get("adkim") === "s",
        isSpfStrict: tags.get("aspf") === "s"
      }
}
