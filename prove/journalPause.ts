import { SqlClient } from "@effect/sql"
import { Effect, Schedule } from "effect"
import type { JournalStatus } from "../src/persistence/stores/phases/JournalStore.ts"
import type { ProofDatabase } from "./ProofDatabase.ts"

/** Installs a trigger that pauses the journal's statements before their commit when a change enters the chosen status. */
export const installJournalPause = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    create table proof_aim (status text not null);
    create function proof_pause() returns trigger language plpgsql as $$
      begin
        delete from proof_aim where status = new.status;
        if found then perform pg_sleep(0.4); end if;
        return null;
      end $$;
    create trigger proof_pause after insert or update on journal for each row execute function proof_pause()`
)

/** Waits for a statement that writes the status, and pauses it; returns whether one came within the seconds. */
export const pauseAtStatus = ({ run }: ProofDatabase, status: JournalStatus, seconds: number): Effect.Effect<boolean> =>
  run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from proof_aim`
      yield* sql`insert into proof_aim values (${status})`
      const paused = Effect.filterOrFail(
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
        (rows) => rows.length > 0
      )
      const polls = Schedule.spaced("10 millis").pipe(Schedule.intersect(Schedule.recurs(seconds * 100)))
      return yield* Effect.isSuccess(Effect.retry(paused, polls))
    })
  )

/** Ends the pausing. */
export const clearJournalPause = ({ run }: ProofDatabase) =>
  run(Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.ignore(sql`delete from proof_aim`)))
