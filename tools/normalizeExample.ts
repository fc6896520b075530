/**
 * Makes a function that replaces what differs from run to run: ids become numbers in the order of their appearance,
 * secrets placeholders, ports that of DNS, and times fixed ones by the name of their field; a wait is a minute.
 */
export const makeExampleNormalizer = () => {
  const ids = new Map<string, string>()

  const replaceId = (id: string, prefix: string): string => {
    const known = ids.get(id) ?? `${prefix}_${String(ids.size + 1).padStart(26, "0")}`
    ids.set(id, known)
    return known
  }

  const normalizeText = (text: string, field: string, index: number): string =>
    /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)
      ? fixedTime(field, index)
      : text
          .replaceAll(/\b(con|evt|whe|key|ask)_[0-9a-z]{26}\b/g, replaceId)
          .replaceAll(/\breq_[0-9a-z]{26}\b/g, `req_${"0".repeat(26)}`)
          .replaceAll(/\b127\.0\.0\.1:\d+/g, "127.0.0.1:53")
          .replaceAll(/\bin \d+ seconds\b/g, "in 60 seconds")
          .replaceAll(/\bwhsec_[\w+/]{43}=/g, `whsec_${"x".repeat(43)}=`)
          .replaceAll(/\b(dck_live|dcas)_[0-9A-Za-z]{49}\b/g, (_, prefix: string) => `${prefix}_${"x".repeat(49)}`)
          .replaceAll(/^(dck_live_|dcas_)[0-9A-Za-z]+$/g, (key, prefix: string) => prefix.padEnd(key.length, "x"))
          .replaceAll(/\bdct_entry_\d+\.[\w.-]+/g, `dct_entry_1.${"x".repeat(16)}.${"x".repeat(160)}`)
          .replaceAll(
            /^(p=\d,a=RS256,t=x509,d=)(.+)$/g,
            (_, members: string, key: string) => members + "x".repeat(key.length)
          )
          .replaceAll(/\b(dct|dcs)_[0-9A-Za-z]{43}\b/g, (_, prefix: string) => `${prefix}_${"x".repeat(43)}`)

  const normalize = (value: unknown, field = "", index = 0): unknown => {
    if (typeof value === "string") return normalizeText(value, field, index)
    if (Array.isArray(value)) return value.map((item, at) => normalize(item, field, at))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, normalize(child, key, index)]))
  }

  return (value: unknown): unknown => normalize(value)
}

/** Seconds after the beginning, by the name of the field; entries of a list follow each other. */
const secondsOf: Readonly<Record<string, number>> = { createdAt: 0, expiresAt: 900, nextCheckAt: 600, resetsAt: 60 }

const beginning = Date.UTC(2026, 0, 31, 9, 30)

const fixedTime = (field: string, index: number): string =>
  new Date(beginning + 1_000 * ((secondsOf[field] ?? 5) + index)).toISOString()
