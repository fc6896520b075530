/** A record with an absolute name in lower case. */
interface ServedRecord {
  readonly name: string
  readonly type: string
  readonly value: string
  readonly priority?: number
}

/**
 * Answers questions from the records of one zone as an authoritative server does, by RFC 1034 section 4.3.2 and RFC 4592,
 * and independently of the planner: zone cuts, empty names, wildcards, aliases.
 */
export class AuthoritativeZone {
  readonly #byName: ReadonlyMap<string, ReadonlyArray<ServedRecord>>
  readonly #names = new Set<string>()
  readonly #apex: string

  constructor(apex: string, records: ReadonlyArray<ServedRecord>) {
    this.#apex = apex
    this.#byName = Map.groupBy(records, ({ name }) => name)
    this.#names.add(apex)
    for (const { name } of records) {
      for (let above = name; above !== apex && above.includes("."); above = parentOf(above)) this.#names.add(above)
    }
  }

  /** The values of a type at a name; none if the name is not in the zone or another server answers for it. */
  answer(name: string, type: string, aliases = 8): ReadonlyArray<string> {
    const records = this.#recordsFor(name)
    // At the apex a CNAME stands for the addresses of its target.
    const isAliased = name !== this.#apex || type === "A" || type === "AAAA"
    const alias = isAliased && type !== "CNAME" ? records.find((record) => record.type === "CNAME") : undefined
    if (alias !== undefined) return aliases === 0 ? [] : this.answer(alias.value, type, aliases - 1)
    return records
      .filter((record) => record.type === type)
      .toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0))
      .map(({ value }) => value)
  }

  /** Whether a name has records or is above a name that has. */
  exists(name: string): boolean {
    return this.#names.has(name)
  }

  /** Whether the zone answers for a name with something else than NXDOMAIN (RFC 8020): it exists, or a wildcard answers. */
  responds(name: string): boolean {
    if (this.#names.has(name) || this.isDelegated(name)) return true
    let encloser = parentOf(name)
    while (!this.#names.has(encloser)) encloser = parentOf(encloser)
    return this.#byName.has(`*.${encloser}`)
  }

  /** Whether another zone answers for a name. */
  isDelegated(name: string): boolean {
    for (let above = name; above !== this.#apex && above.includes("."); above = parentOf(above)) {
      if ((this.#byName.get(above) ?? []).some(({ type }) => type === "NS")) return true
    }
    return false
  }

  #recordsFor(name: string): ReadonlyArray<ServedRecord> {
    if ((name !== this.#apex && !name.endsWith(`.${this.#apex}`)) || this.isDelegated(name)) return []
    if (this.#names.has(name)) return this.#byName.get(name) ?? []
    let encloser = parentOf(name)
    while (!this.#names.has(encloser)) encloser = parentOf(encloser)
    return this.#byName.get(`*.${encloser}`) ?? []
  }
}

const parentOf = (name: string): string => name.slice(name.indexOf(".") + 1)

/** Asks the DNS for the values of a type at a name. */
export type ZoneQuestioner = (name: string, type: string) => ReadonlyArray<string>
