import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { bindingOf, encrypt, newHold, readSettings } from './credentials.ts'
import { client as apiClient } from './generated/hey-api/api/client.gen'
import * as api from './generated/hey-api/api/sdk.gen'
import { client as reportingClient } from './generated/hey-api/reporting/client.gen'
import * as reporting from './generated/hey-api/reporting/sdk.gen'

const { portal, merchant, cashier, password, serial } = readSettings()
let token = ''
let binding = ''
// Gives the generated client what a call needs: the token or, for the refresh, also the cookie of the login.
const auth = (scheme: { in?: string; name?: string }) => {
  if (scheme.in !== 'cookie') return token
  return scheme.name?.endsWith('binding') ? binding : undefined
}
// Each call here counts as an action of the user, which keeps the session alive.
const shared = { auth, throwOnError: true, headers: { 'idle-seconds': 0 } } as const
apiClient.setConfig({ ...shared, baseUrl: `${portal}/api` })
reportingClient.setConfig({ ...shared, baseUrl: `${portal}/reporting` })
const strict = { throwOnError: true } as const

async function logIn(user: { kind: 'merchant'; email: string } | { kind: 'pos'; username: string }) {
  const key = await api.authPublicKey(strict)
  const encrypted_password = await encrypt(password, key.data.data)
  const { data, response } = await api.authLogin({ ...strict, body: { ...user, encrypted_password } })
  if (!('access_token' in data.data)) throw new Error(`the login asks for ${data.data.challenge}`)
  token = data.data.access_token
  binding = bindingOf(response)
}

await logIn({ kind: 'merchant', email: merchant })
const refreshed = await api.accountRefresh(strict)
token = refreshed.data.data.access_token

const vouchers = await api.voucherDatatable({ ...strict, body: { start: 0, limit: 10 } })
console.log(`vouchers: ${vouchers.data.data.total}`)

const terms = await api.signupTermsPdf(strict)
await writeFile('terms.pdf', Buffer.from(await terms.data.arrayBuffer()))

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Singapore' }).format()
const report = await reporting.reportTransaction({
  ...strict,
  headers: { 'login-type': 'MERCHANT' },
  body: { from: today, to: today, format: 'xlsx' },
})
await writeFile('report.xlsx', Buffer.from(await report.data.arrayBuffer()))

await logIn({ kind: 'pos', username: cashier })
const till = randomUUID()
await api.tillName({ ...strict, path: { id: till }, body: { name: 'Till of the example' } })
const { id, secret, request } = newHold(till)
const verified = await api.voucherVerify({ ...strict, body: { serial, hold: request } })
console.log(`worth: ${verified.data.data.denomination_cents} cents`)

for (const became of ['redeemed', 'voided'] as const) {
  const row = { became, id, secret, tapped_at: new Date().toISOString() }
  const { data } = await api.tillSync({ ...strict, body: { rows: [row] } })
  console.log(`${became}: ${data.data.outcomes[0]?.state}`)
}
