import { createElement, type CSSProperties, type ReactElement, useEffect, useLayoutEffect, useRef } from "react"
import type { DomainConnection, DomainConnectionEventMap } from "./connect.ts"
// This import defines the element.
// oxlint-disable-next-line import/no-unassigned-import
import "./connect.ts"

/** The options of the element that a page chooses: its properties, and the handlers of its events. */
export interface DomainConnectorProps extends Partial<
  Pick<DomainConnection, "token" | "baseUrl" | "connectionId" | "locale" | "theme" | "words">
> {
  readonly onConnected?: (event: DomainConnectionEventMap["connected"]) => void
  readonly onFailed?: (event: DomainConnectionEventMap["failed"]) => void
  readonly onCreated?: (event: DomainConnectionEventMap["created"]) => void
  readonly onStep?: (event: DomainConnectionEventMap["step"]) => void
  readonly onDegraded?: (event: DomainConnectionEventMap["degraded"]) => void
  readonly onDisconnected?: (event: DomainConnectionEventMap["disconnected"]) => void
  readonly onDiagnosis?: (event: DomainConnectionEventMap["diagnosis"]) => void
  readonly onClosed?: (event: DomainConnectionEventMap["closed"]) => void
  /** The token is missing or expired: pass another one. */
  readonly onTokenExpired?: (event: DomainConnectionEventMap["token-expired"]) => void
  readonly className?: string
  readonly style?: CSSProperties
}

/** `<domain-connection>` as a component of React 18 or later. */
export const DomainConnector = ({ className, style, ...props }: DomainConnectorProps): ReactElement => {
  const element = useRef<DomainConnection>(null)
  const {
    onClosed,
    onConnected,
    onCreated,
    onDegraded,
    onDiagnosis,
    onDisconnected,
    onFailed,
    onStep,
    onTokenExpired,
    ...properties
  } = props
  useBrowserEffect(() => listen(element.current, "connected", onConnected), [onConnected])
  useBrowserEffect(() => listen(element.current, "failed", onFailed), [onFailed])
  useBrowserEffect(() => listen(element.current, "created", onCreated), [onCreated])
  useBrowserEffect(() => listen(element.current, "step", onStep), [onStep])
  useBrowserEffect(() => listen(element.current, "degraded", onDegraded), [onDegraded])
  useBrowserEffect(() => listen(element.current, "disconnected", onDisconnected), [onDisconnected])
  useBrowserEffect(() => listen(element.current, "diagnosis", onDiagnosis), [onDiagnosis])
  useBrowserEffect(() => listen(element.current, "closed", onClosed), [onClosed])
  useBrowserEffect(() => listen(element.current, "token-expired", onTokenExpired), [onTokenExpired])
  useBrowserEffect(() => {
    if (element.current !== null) assignChanges(element.current, properties)
  })
  return createElement("domain-connection", { ref: element, class: className, style })
}

/** Before the element, which is in the page now, notices that it has no token; a server runs no effects. */
const useBrowserEffect = typeof document === "undefined" ? useEffect : useLayoutEffect

const listen = <Type extends Exclude<keyof DomainConnectionEventMap, keyof HTMLElementEventMap>>(
  element: DomainConnection | null,
  type: Type,
  listener: ((event: DomainConnectionEventMap[Type]) => void) | undefined
): (() => void) | undefined => {
  if (element === null || listener === undefined) return undefined
  element.addEventListener(type, listener)
  return () => element.removeEventListener(type, listener)
}

/** Setting a token again would make the element begin again. */
const assignChanges = (element: DomainConnection, properties: Partial<DomainConnection>): void => {
  for (const [name, value] of Object.entries(properties))
    if (value !== undefined && Reflect.get(element, name) !== value) Reflect.set(element, name, value)
}
