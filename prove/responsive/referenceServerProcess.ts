import { serveOperations } from "./ChildProcess.ts"

const server = {
  /** Answers every request with so many bytes; returns the address. */
  start: async ({ bytes }: { readonly bytes: number }): Promise<string> =>
    Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("x".repeat(bytes)) }).url.href
}

export type ReferenceServerOperations = typeof server

serveOperations(server)
