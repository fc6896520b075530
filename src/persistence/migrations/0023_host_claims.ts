import { type Migration, MigrationStep } from "../postgres/MigrationStep.ts"

/**
 * Numbers the claims of names: a connection sees whether another tenant claimed one since its plan was made. A clock would
 * not do, since every process has another. `taken_number`: the claim that took the name from another tenant.
 */
const migration: Migration = [
  MigrationStep.Change({
    statements: (sql) => sql`
      create sequence host_claims;
      alter table host_holders add column claim_number bigint, add column taken_number bigint;
      alter table host_holders alter column claim_number set default nextval('host_claims')`
  }),
  MigrationStep.MoveData({
    moveBatch: (sql, after) => sql`
      with batch as (
        select application_id, reversed_name from host_holders
        where (application_id, reversed_name) > (split_part(${after}, ' ', 1), split_part(${after}, ' ', 2))
        order by application_id, reversed_name limit 500
      ), moved as (
        update host_holders set claim_number = nextval('host_claims') from batch
        where host_holders.application_id = batch.application_id
          and host_holders.reversed_name = batch.reversed_name and claim_number is null
      )
      select application_id || ' ' || reversed_name as last from batch
      order by application_id desc, reversed_name desc limit 1`
  }),
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table host_holders add constraint has_claim_number check (claim_number is not null) not valid`
  }),
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table host_holders validate constraint has_claim_number`
  }),
  // One statement would drop the constraint first, and read every row under its lock.
  MigrationStep.Change({
    statements: (sql) => sql`
      alter table host_holders alter column claim_number set not null;
      alter table host_holders drop constraint has_claim_number`
  })
]

export default migration
