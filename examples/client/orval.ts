import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { bindingOf, encrypt, given, newHold } from './credentials.ts'
import * as api from './generated/orval/api'
import * as reporting from './generated/orval/reporting'

const { portal, merchant, cashier, password, serial } = given()
let token = ''
let cookie = ''
// Each call here is an act of a user, which keeps the session alive.
const session = () => ({ headers: { authorization: `Bearer ${token}`, cookie, 'idle-seconds': '0' } })

/** Narrows an answer to its success. */
function done<A extends { status: number; data: unknown }>(answer: A): Extract<A, { status: 200 }> {
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.data)}`)
  return answer as Extract<A, { status: 200 }>
}

async function logIn(user: { kind: 'merchant'; email: string } | { kind: 'pos'; username: string }) {
  const key = done(await api.authPublicKey()).data.data
  const answer = done(await api.authLogin({ ...user, encrypted_password: await encrypt(password, key) }))
  const step = answer.data.data
  if (!('access_token' in step)) throw new Error(`the login asks for ${step.challenge}`)
  token = step.access_token
  cookie = `${portal.startsWith('https:') ? '__Host-' : ''}binding=${bindingOf(answer)}`
}

await logIn({ kind: 'merchant', email: merchant })
token = done(await api.accountRefresh(session())).data.data.access_token

const vouchers = done(await api.voucherDatatable({ start: 0, limit: 10 }, session()))
console.log(`vouchers: ${vouchers.data.data.total}`)

const terms = done(await api.signupTermsPdf())
await writeFile('terms.pdf', Buffer.from(await terms.data.arrayBuffer()))

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Singapore' }).format()
const { headers } = session()
const report = done(
  await reporting.reportTransaction(
    { from: today, to: today, format: 'xlsx' },
    { headers: { ...headers, 'login-type': 'MERCHANT' } },
  ),
)
await writeFile('report.xlsx', Buffer.from(await (report.data as Blob).arrayBuffer()))

await logIn({ kind: 'pos', username: cashier })
const till = randomUUID()
done(await api.tillName(till, { name: 'Till of the example' }, session()))
const { id, secret, request } = newHold(till)
const verified = done(await api.voucherVerify({ serial, hold: request }, session()))
console.log(`worth: ${verified.data.data.denomination_cents} cents`)

for (const became of ['redeemed', 'voided'] as const) {
  const row = { became, id, secret, tapped_at: new Date().toISOString() }
  const answer = done(await api.tillSync({ rows: [row] }))
  console.log(`${became}: ${answer.data.data.outcomes[0]?.state}`)
}
