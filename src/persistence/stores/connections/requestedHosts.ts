/** The digest of a name, from `application_id` and a reversed name: it recognizes a host, and outlives connections. */
export const hostDigest = (column: string): string => `sha256(convert_to(application_id || ' ' || ${column}, 'UTF8'))`

/**
 * Remembers who asked for the hosts of `source`, and for the names above each, with a final dot: a wildcard finds what
 * was asked for below it.
 */
export const rememberHosts = (source: string): string => `
    insert into requested_hosts (application_id, host_digest, tenant_id)
    select distinct application_id, ${hostDigest("remembered")}, tenant_id from ${source}, lateral (
      select reversed_name as remembered union all
      select left(reversed_name, at) from generate_series(strpos(reversed_name, '.') + 1, length(reversed_name)) as at
      where substr(reversed_name, at, 1) = '.'
    ) as names order by 1, 2, 3
    on conflict do nothing`
