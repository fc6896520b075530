import { Data } from "effect"
import { type Client, DatabaseError, type QueryResult } from "pg"

/** A pooler before the database gives a session to others, or a setting does not hold in it; `message` says which. */
export class SessionNotKept extends Data.TaggedError("SessionNotKept")<{ readonly message: string }> {}

/** Sends a statement and waits for its rows. */
type StatementSender = (text: string, values: Array<unknown>) => Promise<QueryResult>

/**
 * Makes a connection a session of its own with these settings, or fails before any other statement is sent. The
 * sessions of a process are compared by their server processes: a pooler that gives one to the next client after each
 * statement or transaction gives it to the second session that is opened, or another one to the next statement.
 */
export const openSession = async (
  client: Client,
  settings: ReadonlyArray<readonly [name: string, value: string]>,
  send: StatementSender
): Promise<void> => {
  const ask = async (columns: ReadonlyArray<string>, values: Array<unknown> = []) => {
    const result = await send(`${selectBackend}${columns.map((column) => `, ${column}`).join("")}`, values)
    requireOwnBackend(client, result)
    return result.rows[0]
  }
  const shown = processOf(client)
  await ask([])
  // Behind a pooler the server process may have what another client has left in it.
  if (processOf(client) !== shown) await send("discard all", [])
  const set = await ask(
    settings.map((_, nth) => `set_config($${nth * 2 + 1}, $${nth * 2 + 2}, false) as s${nth}`),
    settings.flat()
  ).catch(nameSetting)
  const found = await ask(
    settings.map((_, nth) => `current_setting($${nth + 1}) as s${nth}`),
    settings.map(([name]) => name)
  )
  const [name] = settings.find((_, nth) => set[`s${nth}`] !== found[`s${nth}`]) ?? []
  if (name !== undefined) throw new SessionNotKept({ message: notHeld(name) })
}

/** Asks for the server process: its number may be that of an earlier one, its start is not. */
export const selectBackend = `select pg_backend_pid() || ' ' || coalesce((select extract(epoch from backend_start)::text
  from pg_stat_activity where pid = pg_backend_pid()), '') as backend`

/** The number of the server process: a pooler shows one of its own. */
const processOf = (client: Client): unknown => Reflect.get(client, "processID")

/** The open sessions of this process by their server processes. */
const sessions = new Map<string, Client>()

/**
 * Throws `SessionNotKept` if the answer to `selectBackend` came from another server process than before, or from that of
 * another session.
 */
export const requireOwnBackend = (client: Client, { rows }: QueryResult): void => {
  const found = String(rows[0].backend)
  const holder = sessions.get(found)
  if (holder === client) return
  const isFirst = ![...sessions.values()].includes(client)
  if (holder === undefined && isFirst) {
    sessions.set(found, client)
    client.once("end", () => void sessions.delete(found))
    // Statements are cancelled by this number.
    Object.assign(client, { processID: Number.parseInt(found, 10) })
    return
  }
  // Both are no sessions of their own.
  if (holder !== undefined) void holder.end()
  throw new SessionNotKept({ message: notKept })
}

const nameSetting = (error: unknown): never => {
  if (!(error instanceof DatabaseError && /^(22|42|55P02)/.test(error.code ?? ""))) throw error
  throw new SessionNotKept({ message: `a setting of DATABASE_URL cannot be set in its sessions: ${error.message}` })
}

const remedy =
  "set pool_mode = session in PgBouncer, or use another pooler's session mode (docs/operations.md, Database)"

const notKept =
  "a pooler before the database shares one server connection between several sessions, as by transaction or statement " +
  `pooling: ${remedy}`

const notHeld = (name: string) =>
  `the setting ${name} does not hold in a session of the database, because a pooler before it drops it: ${remedy}`
