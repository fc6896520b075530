/** A domain name as people write it: each label in Punycode (RFC 3492) becomes Unicode; an invalid one stays. */
export const toUnicodeName = (name: string): string =>
  name
    .split(".")
    .map((label) => (/^xn--/i.test(label) ? decodeLabel(label) : label))
    .join(".")

/** The data of a record as people write it: the names in it in Unicode. */
export const toUnicodeValue = ({ type, value }: { readonly type: string; readonly value: string }): string =>
  ["ALIAS", "CNAME", "MX", "NS", "SRV"].includes(type) ? toUnicodeName(value) : value

const decodeLabel = (label: string): string => {
  const text = label.slice(4).toLowerCase()
  const end = text.lastIndexOf("-")
  const points = Array.from(text.slice(0, Math.max(end, 0)), codeOf)
  let [code, at, bias, rest] = [128, 0, 72, text.slice(end + 1)]
  while (rest !== "") {
    const before = at
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(rest.charAt(0))
      if (digit < 0 || rest === "") return label
      rest = rest.slice(1)
      at += digit * weight
      const threshold = Math.min(Math.max(k - bias, 1), 26)
      if (digit < threshold) break
      weight *= 36 - threshold
    }
    const count = points.length + 1
    bias = adapt(at - before, count, before === 0)
    code += Math.floor(at / count)
    if (code > 0x10ffff) return label
    at %= count
    points.splice(at, 0, code)
    at += 1
  }
  return points.length === 0 ? label : String.fromCodePoint(...points)
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0

/** RFC 3492 section 6.1. */
const adapt = (delta: number, count: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? 700 : 2))
  rest += Math.floor(rest / count)
  let k = 0
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35)
  return k + Math.floor((36 * rest) / (rest + 38))
}
