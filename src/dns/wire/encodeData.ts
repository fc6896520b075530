import { Array } from "effect"
import { noTarget, type RecordType } from "../../domain/DnsRecord.ts"
import { characterStrings } from "./characterStrings.ts"
import { encodeName, sized, uint16 } from "./encodeName.ts"
import { labelBytes } from "./labels.ts"

/** The data of a record as an intent may ask for it; `value` in normal form (see `DnsRecord`). */
export const encodeData = (record: {
  readonly type: RecordType
  readonly value: string
  readonly priority?: number
}): Uint8Array => Uint8Array.from(forms[record.type](record.value, record.priority ?? 0))

const name = (value: string): ReadonlyArray<number> => encodeName(value)

const ipv4 = (value: string): ReadonlyArray<number> => value.split(".").map(Number)

const ipv6 = (value: string): ReadonlyArray<number> => {
  const [head = [], tail] = value.split("::").map((part) => (part === "" ? [] : part.split(":")))
  const missing = 8 - head.length - (tail?.length ?? 0)
  const groups = tail === undefined ? head : [...head, ...Array.replicate("0", missing), ...tail]
  return groups.flatMap((group) => uint16(Number.parseInt(group, 16)))
}

const text = (value: string): ReadonlyArray<number> => characterStrings(value).flatMap(sized)

const service = (value: string, priority: number): ReadonlyArray<number> => {
  const [weight = "", port = "", target = noTarget] = value.split(" ")
  return [...[priority, Number(weight), Number(port)].flatMap(uint16), ...encodeName(target)]
}

/** `flags tag "value"` (RFC 8659 section 4.1). */
const authorization = (value: string): ReadonlyArray<number> => {
  const [, flags = "", tag = "", property = ""] = /^(\d+) (\S+) "(.*)"$/s.exec(value) ?? []
  return [Number(flags), ...sized(labelBytes(tag)), ...labelBytes(property)]
}

const forms: { readonly [_ in RecordType]: (value: string, priority: number) => ReadonlyArray<number> } = {
  A: ipv4,
  AAAA: ipv6,
  CNAME: name,
  MX: (value, priority) => [...uint16(priority), ...encodeName(value)],
  TXT: text,
  NS: name,
  SRV: service,
  CAA: authorization
}
