import type { ApiKeyColumns } from "./handwritten.ts"

/** A PostgreSQL client as a template tag: returns the rows of a statement with parameters. */
export type Sql = (strings: TemplateStringsArray, ...parameters: Array<any>) => PromiseLike<Array<any>>

/** The queries of all peers: the API key by its hash, then one statement for each endpoint. */
export const queriesOn = (sql: Sql) => ({
  findKey: async (hash: Uint8Array): Promise<ApiKeyColumns | undefined> => {
    const [key] = await sql`
      select id, application_id, tenant_id, scopes from api_keys
      where hash = ${hash} and revoked_at is null and (expires_at is null or expires_at > now())`
    return key
  },
  insertConnection: (key: ApiKeyColumns, id: string, doc: string, eventId: string) => sql`
    with created as (
      insert into connections (id, application_id, tenant_id, state, phase, due_at, doc)
      values (${id}, ${key.application_id}, ${key.tenant_id}, 'requested', 'discover', now(), ${doc})
      returning id
    )
    insert into connection_events (id, connection_id, to_state) select ${eventId}, id, 'requested' from created`,
  findConnection: async (key: ApiKeyColumns, id: string): Promise<FoundConnection | undefined> => {
    const [found] = await sql`
      select doc, version from connections
      where id = ${id} and application_id = ${key.application_id} and tenant_id = ${key.tenant_id}`
    return found
  },
  insertToken: async (
    key: ApiKeyColumns,
    id: string,
    hash: Uint8Array,
    origin: string
  ): Promise<IssuedTokenRow | undefined> => {
    const [issued] = await sql`
      insert into browser_tokens (hash, connection_id, api_key_id, origin, expires_at)
      select ${hash}::bytea, id, ${key.id}, ${origin}, now() + interval '15 minutes' from connections
      where id = ${id} and application_id = ${key.application_id} and tenant_id = ${key.tenant_id}
        and state <> all('{expired,canceled,disconnected}')
      returning expires_at`
    return issued
  }
})

interface FoundConnection {
  readonly doc: string
  readonly version: number
}

interface IssuedTokenRow {
  readonly expires_at: Date
}
