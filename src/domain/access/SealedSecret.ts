import { Schema } from "effect"
import type { Connection, ConnectionId } from "../connection/Connection.ts"
import type { Tenancy } from "./Tenancy.ts"

/** A secret encrypted under the master key of `keyVersion`, with a nonce that is used once. */
export const SealedSecret = Schema.Struct({
  keyVersion: Schema.Int,
  nonce: Schema.Uint8ArrayFromSelf,
  ciphertext: Schema.Uint8ArrayFromSelf
})
export type SealedSecret = typeof SealedSecret.Type

/** The connection that a secret belongs to, which has at most one secret of each kind, and its tenant. */
export interface SecretOwner extends Tenancy {
  readonly connectionId: ConnectionId
}

export interface StoredSecret {
  readonly owner: SecretOwner
  readonly sealed: SealedSecret
}

export const secretOwnerOf = ({
  applicationId,
  id,
  tenantId
}: Pick<Connection, "applicationId" | "id" | "tenantId">): SecretOwner => ({
  applicationId,
  tenantId,
  connectionId: id
})
