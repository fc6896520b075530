import { type Duration, Layer, type Option } from "effect"
import { AdminKeys } from "./AdminKeys.ts"
import { AdminRequests } from "./AdminRequests.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { BrowserTokens } from "./BrowserTokens.ts"
import { Credentials } from "./Credentials.ts"
import { DomainEntryTokens } from "./DomainEntryTokens.ts"
import { DomainConnectKeys } from "./DomainConnectKeys.ts"
import { type MasterKeyRing, MasterKeys } from "./MasterKeys.ts"
import { OAuthSessions } from "./OAuthSessions.ts"
import { HostedPageLogos } from "./HostedPageLogos.ts"
import { RequestFingerprints } from "./RequestFingerprints.ts"
import { fittingMasterKeysLayer } from "./requireFittingKeys.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"

interface SecuritySettings {
  /** The keys that seal secrets (`MASTER_KEY`); without them a file in `dataDirectory` holds one. */
  readonly masterKeys: Option.Option<MasterKeyRing>
  readonly dataDirectory: string
  /** How long a browser token is valid (`BROWSER_TOKEN_TTL`). */
  readonly browserTokenLifetime: Duration.Duration
  /** Whether browser tokens say that they are of test mode. */
  readonly isTestMode?: boolean
}

/** Authenticates callers, recognizes repeated requests, seals secrets. Fails if the keys do not fit the database. */
export const securityLayer = ({
  browserTokenLifetime,
  dataDirectory,
  isTestMode = false,
  masterKeys
}: SecuritySettings) =>
  Layer.mergeAll(
    ApiKeys.layer,
    AdminKeys.layer,
    AdminRequests.layer,
    BrowserTokens.layer({ lifetime: browserTokenLifetime, isTestMode }),
    Credentials.layer,
    DomainConnectKeys.layer,
    DomainEntryTokens.layer({ lifetime: browserTokenLifetime, isTestMode }),
    RequestFingerprints.layer,
    HostedPageLogos.layer,
    OAuthSessions.layer,
    WebhookSecrets.layer
  ).pipe(
    Layer.provide(fittingMasterKeysLayer),
    Layer.provide(MasterKeys.layer({ configured: masterKeys, dataDirectory }))
  )
