/**
 * The digest by which a name is remembered, as SQL of `application_id` and a column with the reversed name. It is enough to
 * recognize a host, and outlives the connections that asked for it.
 */
export const hostDigest = (column: string): string => `sha256(convert_to(application_id || ' ' || ${column}, 'UTF8'))`

/**
 * The statement that remembers who asked for hosts; `source` has `application_id`, `reversed_name` and `tenant_id`. Each name
 * above a host is remembered too, with a dot at its end: so a wildcard finds what was asked for below it.
 */
export const rememberHosts = (source: string): string => `
    insert into requested_hosts (application_id, host_digest, tenant_id)
    select distinct application_id, ${hostDigest("remembered")}, tenant_id from ${source}, lateral (
      select reversed_name as remembered union all
      select left(reversed_name, at) from generate_series(strpos(reversed_name, '.') + 1, length(reversed_name)) as at
      where substr(reversed_name, at, 1) = '.'
    ) as names order by 1, 2, 3
    on conflict do nothing`
