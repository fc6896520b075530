/** A way to a server, open for one question; after it is closed it is silent. */
export interface Channel {
  /** What cannot be sent is heard as a fault. */
  readonly send: (message: Uint8Array) => void
  readonly close: () => void
}

/** Who listens to a channel. */
export interface Listener {
  readonly message: (bytes: Uint8Array) => void
  /** Nothing gets through: there is no route, or nobody listens there. */
  readonly fault: () => void
}
