import { createApp } from '../../server/app.ts'
import type { Database, Db } from '../../server/db/engine/Database.ts'
import type { Deps } from '../../server/Deps.ts'

/** A request in transit. */
export interface Carried {
  method: string
  path: string
  headers: [string, string][]
  body: string | undefined
}

export interface Answered {
  status: number
  headers: [string, string][]
  body: string
}

/** One process of the real server. It can be killed between any two database statements. */
export class PortalServer {
  isUp = true
  /** Time of its last start, in milliseconds; valid while it is up. */
  upSince: number
  readonly #deps: Deps
  #app: ReturnType<typeof createApp>
  /** Number of statements until it is killed. */
  #statementsLeft = Number.POSITIVE_INFINITY

  constructor(deps: Deps) {
    this.#deps = { ...deps, database: this.#mortal(deps.database) }
    this.#app = createApp(this.#deps)
    this.upSince = deps.clock.now().getTime()
  }

  /** Returns the handler's answer; undefined when the process was killed by then. `livesFor`: statements until that. */
  async answer({ path, ...sent }: Carried, livesFor = Number.POSITIVE_INFINITY): Promise<Answered | undefined> {
    this.#statementsLeft = livesFor
    const response = await this.#app.request(path, { ...sent, ...(sent.body === undefined ? { body: null } : {}) })
    const body = await response.text()
    if (this.#statementsLeft < 0) {
      this.isUp = false
      return undefined
    }
    const { status, headers } = response
    return { status, headers: [...headers], body }
  }

  /** Starts a new process: the memory of the old one is lost. */
  start(): void {
    this.#statementsLeft = Number.POSITIVE_INFINITY
    this.#app = createApp(this.#deps)
    this.upSince = this.#deps.clock.now().getTime()
    this.isUp = true
  }

  #mortal(database: Database): Database {
    const live = (): void => {
      this.#statementsLeft -= 1
      if (this.#statementsLeft < 0) throw new Error('the server was killed')
    }
    return {
      ...database,
      db: mortalDb(database.db, live),
      run: async (statement, values) => {
        live()
        return database.run(statement, values)
      },
      forTenant: (organisationId) => this.#mortal(database.forTenant(organisationId)),
      forAllTenants: () => this.#mortal(database.forAllTenants()),
    }
  }
}

const STATEMENTS = new Set(['transaction', 'select', 'insert', 'update', 'delete', 'execute'])

const mortalDb = (db: Db, live: () => void): Db =>
  new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (STATEMENTS.has(String(name))) live()
        return (value as (...given: unknown[]) => unknown).apply(target, args)
      }
    },
  })
