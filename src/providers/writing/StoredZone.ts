import type { ZoneRecord } from "../../domain/DnsRecord.ts"
import type { Zone, ZoneLocation } from "../../domain/Zone.ts"
import { makeSurroundingsFinder } from "../../planning/zone/surroundings.ts"
import { findHostsInDomain } from "./AffectedNames.ts"

/** A zone in the form that plans are made from, and what its provider stores for each of its records. */
export interface StoredZone<Stored> {
  readonly zone: Zone
  readonly storedOf: ReadonlyMap<ZoneRecord, Stored>
}

/** Collects the served records of a whole zone. */
export interface StoredZoneBuilder<Stored> {
  /** Adds a record at a name, which is absolute and in normal form; a record outside the domain is not kept. */
  readonly add: (name: string, record: Omit<ZoneRecord, "host">, stored: Stored) => void
  readonly build: () => StoredZone<Stored>
}

/** Makes a builder that knows no record yet. */
export const makeStoredZoneBuilder = <Stored>(location: ZoneLocation): StoredZoneBuilder<Stored> => {
  const storedOf = new Map<ZoneRecord, Stored>()
  const surroundings = makeSurroundingsFinder(location)
  return {
    add: (name, record, stored) => {
      for (const host of findHostsInDomain(name, record.type, location)) storedOf.set({ host, ...record }, stored)
      surroundings.add(name, record)
    },
    build: () => ({
      zone: { name: location.zone, basis: "provider", records: [...storedOf.keys()], ...surroundings.find() },
      storedOf
    })
  }
}
