/** What the floor needs of `pg`, the driver below `@effect/sql-pg`, which comes without types. */
declare module "pg" {
  export class Pool {
    constructor(options: { readonly max: number })
    query(text: string, parameters: Array<unknown>): Promise<{ readonly rows: Array<any> }>
  }
}
