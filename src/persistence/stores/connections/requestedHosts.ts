import { DomainName } from "../../../domain/names/DomainName.ts"
import { makeConcernedNames, type NameSet } from "../../../domain/names/NameSet.ts"
import { requestedHostBytes } from "../usage/usageChanges.ts"

/** The digest of a name, from `application_id` and a reversed name: it recognizes a host, and outlives connections. */
export const hostDigest = (column: string): string => `sha256(convert_to(application_id || ' ' || ${column}, 'UTF8'))`

/** How many labels a remembered name above a host has at most, so that a deep host takes no row for each of its labels. */
const maxLabelsAbove = 6

/**
 * Remembers who asked for the hosts of `source`, and for names above each, with a final dot: a wildcard finds what was
 * asked for below it. Returns the rows that are new.
 */
export const rememberHosts = (source: string): string => `
    insert into requested_hosts (application_id, host_digest, tenant_id)
    select distinct application_id, ${hostDigest("remembered")}, tenant_id from ${source}, lateral (
      select reversed_name as remembered union all
      select array_to_string(labels[1:depth], '.') || '.'
      from string_to_array(reversed_name, '.') as labels,
        generate_series(2, least(cardinality(labels) - 1, ${maxLabelsAbove})) as depth
    ) as names order by 1, 2, 3
    on conflict do nothing returning application_id, tenant_id`

/** The storage of the new rows `remembered_hosts`, as a source of `writeUsage`. */
export const rememberedHostsUsage = `select application_id, tenant_id, ${requestedHostBytes} as bytes from remembered_hosts`

/** The names that requests for these concern, as they are remembered: below a deep name, all that is below a higher one. */
export const toRememberedNames = (names: ReadonlyArray<DomainName>): NameSet => {
  const { at, below } = makeConcernedNames(names)
  return { at, below: below.map((name) => DomainName.make(name.split(".").slice(-maxLabelsAbove).join("."))) }
}
