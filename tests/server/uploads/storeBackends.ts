import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { createApp } from '../../../server/app.ts'
import type { Deps } from '../../../server/Deps.ts'
import { embeddedStore } from '../../../server/store/embeddedStore.ts'
import { s3Store } from '../../../server/store/s3Store.ts'
import { testServer, type TestServer } from '../../support/server/testServer.ts'
import { startSwift } from '../../support/uploads/swift.ts'

export interface StoreServer extends TestServer {
  /** Settings with the server's own address, so that the addresses of its files work. */
  deps: Deps
}

export interface Backend {
  name: string
  /** True if the store itself takes a presigned PUT only once. */
  once: boolean
  /** Returns changed copies of `url` that were not signed. `other` is the address of another file. */
  changesOf(url: string, other: string): string[]
  start(): Promise<StoreServer>
}

/** The portal with its own folder for files, listening on a socket. */
const embedded: Backend = {
  name: 'embedded',
  once: true,
  changesOf: (url, other) => [new URL(new URL(other).search, url).href, url.slice(0, -4)],
  async start() {
    const server = await testServer()
    server.clock.set(new Date())
    // The app is made once the listener has a port, since it needs the address.
    const late: { app?: TestServer['app'] } = {}
    const listener = serve({
      fetch: (request, env) => late.app!.fetch(request, env),
      port: 0,
      hostname: '127.0.0.1',
    }) as Server
    await new Promise((resolve) => listener.once('listening', resolve))
    const publicUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
    const store = embeddedStore({ directory: server.files, publicUrl, secret: 'secret', clock: server.clock })
    const deps = { ...server.deps, settings: { ...server.deps.settings, publicUrl }, store }
    const app = createApp(deps)
    late.app = app
    return {
      ...server,
      app,
      deps,
      async close() {
        listener.closeAllConnections()
        listener.close()
        await server.close()
      },
    }
  },
}

const swift: Backend = {
  name: 'OpenStack Swift over S3',
  once: false,
  changesOf(url) {
    // Another key in today's scope. Some stores answer 400 to the scope of another day, which would prove nothing.
    const othersCredential = new URL(url).searchParams.get('X-Amz-Credential')!.replace(/^[^/]+/, 'somebody')
    const changes: [string, string][] = [
      ['X-Amz-Expires', '3600'],
      ['X-Amz-Signature', '0'.repeat(64)],
      ['X-Amz-SignedHeaders', 'host'],
      ['X-Amz-Credential', othersCredential],
      ['x-extra', '1'],
    ]
    return changes.map(([name, value]) => {
      const changed = new URL(url)
      changed.searchParams.set(name, value)
      return changed.href
    })
  },
  async start() {
    const service = await startSwift()
    const server = await testServer()
    server.clock.set(new Date())
    const store = s3Store(service.options, server.clock)
    const deps = { ...server.deps, store }
    return {
      ...server,
      app: createApp(deps),
      deps,
      async close() {
        await server.close()
        service.stop()
      },
    }
  },
}

export const backends: Backend[] = [embedded, swift]
