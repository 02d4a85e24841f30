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
  /** Answers at its own address, so that addresses of its files lead somewhere. */
  deps: Deps
}

export interface Backend {
  name: string
  /** Whether the store itself takes a presigned PUT only once. */
  once: boolean
  start(): Promise<StoreServer>
}

/** The portal with its own folder for files, on a socket. */
const embedded: Backend = {
  name: 'embedded',
  once: true,
  async start() {
    const server = await testServer()
    server.clock.set(new Date())
    // The address is known only once something listens there.
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
