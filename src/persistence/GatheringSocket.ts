import { Socket } from "node:net"

/** A socket that sends what is corked in one piece: Bun's own makes a system call of each of the messages of a query. */
export class GatheringSocket extends Socket {
  override _writev(
    chunks: ReadonlyArray<{ readonly chunk: Uint8Array }>,
    callback: (error?: Error | null) => void
  ): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), "binary", callback)
  }
}
