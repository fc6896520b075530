import { Clock, Effect, Layer, Option } from "effect"
import { OAuthSessionStore } from "../../../src/persistence/stores/access/OAuthSessionStore.ts"
import { hex, isSameTenancy, type OAuthSessionRow, Tables } from "./Tables.ts"

/** OAuth sessions in a map, with the same guarantees as the table of PostgreSQL. */
export const oauthSessionStoreInMemory = Layer.effect(
  OAuthSessionStore,
  Effect.map(Tables, ({ oauthSessions }) => {
    const found = (fits: (row: OAuthSessionRow) => boolean) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        Option.fromNullable([...oauthSessions.values()].find((row) => row.expiresAt > now && fits(row)))
      )
    const shown = Option.map(({ owner, sealed }: OAuthSessionRow) => ({ owner, sealed }))
    return {
      find: (owner) =>
        Effect.map(
          found((row) => row.owner.connectionId === owner.connectionId && isSameTenancy(row.owner, owner)),
          shown
        ),
      findByTicket: (ticketHash) =>
        Effect.map(
          found((row) => row.ticketHash === hex(ticketHash)),
          shown
        ),
      setCallback: (ticketHash, back, sealed) =>
        Effect.map(
          found((row) => row.ticketHash === hex(ticketHash)),
          Option.match({
            onNone: () => false,
            onSome: (row) => {
              const way = { stateHash: hex(back.stateHash), browserHash: hex(back.browserHash) }
              oauthSessions.set(row.owner.connectionId, { ...row, sealed, ...way })
              return true
            }
          })
        ),
      findByState: (stateHash) =>
        Effect.map(
          found((row) => row.stateHash === hex(stateHash)),
          shown
        ),
      findByCallback: (back) =>
        Effect.map(
          found((row) => row.stateHash === hex(back.stateHash) && row.browserHash === hex(back.browserHash)),
          shown
        ),
      consume: (back) =>
        Effect.map(
          found((row) => row.stateHash === hex(back.stateHash) && row.browserHash === hex(back.browserHash)),
          (row) => {
            if (Option.isSome(row)) oauthSessions.delete(row.value.owner.connectionId)
            return shown(row)
          }
        )
    }
  })
)
