import { test } from 'vitest'
import { loggedInClient, type LoggedInClient } from '../api/loggedInClient.ts'
import type { Ask } from '../api/portalClient.ts'
import { makeMerchant, type Merchant } from '../database/builders.ts'
import { testServer, type TestServer } from './testServer.ts'

/** `it` for a test file with a server of its own. A plain `beforeAll` runs before the server is there: use `it.beforeAll`. */
export const it = test.extend(
  'server',
  { scope: 'file', auto: true },
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs from its first parameter.
  async ({}, { onCleanup }) => {
    server = await testServer()
    onCleanup(() => server.close())
    return server
  },
)

/** `it` with a new merchant before each test, whose main account is logged in. */
export const merchantIt = it.extend('merchant', { auto: true }, async ({ server: { database } }) => {
  merchant = await makeMerchant(database.db)
  main = await loggedInClient(ask, merchant.main)
  return merchant
})

// Vitest runs each test file with modules of its own, so these variables belong to one file.
export let server: TestServer
export const ask: Ask = (path, init) => server.ask(path, init)
export const db = () => server.database.db
export let merchant: Merchant
export let main: LoggedInClient
