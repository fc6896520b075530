/**
 * The digest by which a host is remembered, as SQL of `application_id` and `reversed_name`. It is enough to recognize a
 * host, and outlives the connections that asked for it.
 */
export const hostDigest = "sha256(convert_to(application_id || ' ' || reversed_name, 'UTF8'))"

/** The statement that remembers who asked for hosts; `source` has `application_id`, `reversed_name` and `tenant_id`. */
export const rememberHosts = (source: string): string => `
    insert into requested_hosts (application_id, host_digest, tenant_id)
    select distinct application_id, ${hostDigest}, tenant_id from ${source} order by 1, 2, 3
    on conflict do nothing`
