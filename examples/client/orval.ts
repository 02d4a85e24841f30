import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { bindingOf, encrypt, newHold, readSettings } from './credentials.ts'
import * as api from './generated/orval/api'
import * as reporting from './generated/orval/reporting'

const { portal, merchant, cashier, password, serial } = readSettings()
let token = ''
let cookie = ''
// Each call here counts as an action of the user, which keeps the session alive.
const session = () => ({ headers: { authorization: `Bearer ${token}`, cookie, 'idle-seconds': '0' } })

/** Returns a successful answer, and throws for any other. */
function successOf<A extends { status: number; data: unknown }>(answer: A): Extract<A, { status: 200 }> {
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.data)}`)
  return answer as Extract<A, { status: 200 }>
}

async function logIn(user: { kind: 'merchant'; email: string } | { kind: 'pos'; username: string }) {
  const key = successOf(await api.authPublicKey()).data.data
  const answer = successOf(await api.authLogin({ ...user, encrypted_password: await encrypt(password, key) }))
  const step = answer.data.data
  if (!('access_token' in step)) throw new Error(`the login asks for ${step.challenge}`)
  token = step.access_token
  cookie = `${portal.startsWith('https:') ? '__Host-' : ''}binding=${bindingOf(answer)}`
}

await logIn({ kind: 'merchant', email: merchant })
token = successOf(await api.accountRefresh(session())).data.data.access_token

const vouchers = successOf(await api.voucherDatatable({ start: 0, limit: 10 }, session()))
console.log(`vouchers: ${vouchers.data.data.total}`)

const terms = successOf(await api.signupTermsPdf())
await writeFile('terms.pdf', Buffer.from(await terms.data.arrayBuffer()))

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Singapore' }).format()
const { headers } = session()
const report = successOf(
  await reporting.reportTransaction(
    { from: today, to: today, format: 'xlsx' },
    { headers: { ...headers, 'login-type': 'MERCHANT' } },
  ),
)
await writeFile('report.xlsx', Buffer.from(await (report.data as Blob).arrayBuffer()))

await logIn({ kind: 'pos', username: cashier })
const till = randomUUID()
successOf(await api.tillName(till, { name: 'Till of the example' }, session()))
const { id, secret, request } = newHold(till)
const verified = successOf(await api.voucherVerify({ serial, hold: request }, session()))
console.log(`worth: ${verified.data.data.denomination_cents} cents`)

for (const became of ['redeemed', 'voided'] as const) {
  const row = { became, id, secret, tapped_at: new Date().toISOString() }
  const answer = successOf(await api.tillSync({ rows: [row] }))
  console.log(`${became}: ${answer.data.data.outcomes[0]?.state}`)
}
