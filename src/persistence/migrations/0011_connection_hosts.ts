import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/**
 * The names at which each connection may have records, and the name of each journalled change, so that a plan reads only
 * the zone tenants at the names that it concerns. Names are reversed, character by character, so that one index finds a
 * name and all names below it. A change without a name was journalled by an older version that still ran.
 */
export default Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table connection_hosts (
      reversed_name text collate "C" not null,
      connection_id text not null references connections (id),
      primary key (reversed_name, connection_id)
    );
    insert into connection_hosts (reversed_name, connection_id)
    select distinct reverse(case host when '@' then '' else host || '.' end || domain), id
    from connections, jsonb_array_elements(doc::jsonb #> '{effectiveIntent,records}') as record, lateral (
      select record ->> 'host' as host
    ) as hosts
    where state not in ('expired', 'canceled', 'disconnected');
    drop index connections_domain;
    alter table journal add column reversed_name text collate "C";
    update journal set reversed_name = reverse(case host when '@' then '' else host || '.' end || domain)
    from (
      select position as changed, coalesce(change::jsonb #>> '{after,host}', change::jsonb #>> '{before,host}') as host
      from journal
    ) as hosts
    where position = changed;
    create index journal_at on journal (zone, reversed_name)`
)
