import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/**
 * The kept answers about each active connection, and when single servers are asked again. Only a check of all servers
 * writes a row of `watches`, which goes with the state. Whoever takes a slot of `look_slots` looks at all of its
 * connections; none while a process lives that does not look (`processes.looks`). No index has a column that a look
 * writes (HOT).
 */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      create table watches (
        connection_id text primary key references connections (id) on delete cascade,
        application_id text not null,
        tenant_id text not null,
        look_key integer not null,
        zone text not null,
        servers text not null,
        servers_until timestamptz not null,
        answers text not null,
        checked_at timestamptz not null default now()
      ) with (fillfactor = 80);
      create index watches_look_key on watches (look_key);
      create table look_slots (
        slot integer primary key,
        due_at timestamptz not null default now(),
        round integer not null default 0,
        looked_at timestamptz
      ) with (fillfactor = 40);
      insert into look_slots (slot) select generate_series(0, 4095);
      create function end_watch() returns trigger language plpgsql as $$
        begin
          delete from watches where connection_id = new.id;
          return null;
        end
      $$`
  }),
  MigrationStep.Change({
    statements: (sql) => sql`alter table processes add column looks boolean not null default false`
  }),
  MigrationStep.Change({
    statements: (sql) => sql`
      create trigger connections_end_watch after update of state on connections
      for each row when (old.state = 'active' and new.state <> 'active') execute function end_watch()`
  })
]

export default migration
