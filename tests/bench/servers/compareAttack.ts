import { CompactEncrypt, importSPKI } from 'jose'
import { hashPassword } from '../../../server/services/accounts/passwords/passwordHash.ts'
import { hashToken } from '../../../server/services/opaqueToken.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { asked, row, type Comparison } from '../comparison.ts'
import { withServer, type BenchPlace } from '../load/benchDatabase.ts'
import { KeptConnections } from '../load/KeptConnections.ts'
import { countersAndLedger } from '../load/ledger.ts'
import { countsOf, openLoad, type Answered } from '../load/loads.ts'
import { rawRequest, tillRequests } from '../load/requests.ts'
import { p99Of, waitForQuietMachine } from '../measure.ts'

/** What comes in a second. Each bad login has fetched its key; the last three are ours. */
const A_SECOND = { key: 130, 'bad login': 130, 'hostile signup': 10, redeem: 16, pin: 4, login: 2 } as const

type Kind = keyof typeof A_SECOND

/** Milliseconds at the 99th percentile, and what is said of them. */
const GOALS = [
  ['redeem', 'a till redeems', 500],
  ['pin', 'a cashier’s PIN is checked', 300],
  ['login', 'a known device logs in', 1_000],
] as const

const TILLS = 16
/** Beside them, cashiers who only log in: a login would end the session of a till. */
const OTHERS = 8
const ALL = TILLS + OTHERS
const PASSWORD = 'Correct-Horse-2026!'
const PIN = '104482'
const DEVICE = 'd'.repeat(43)
const SIGNUP_BYTES = 30_000

/**
 * Sixteen tills, PIN checks and logins of known devices beside an attack: bad logins, each from another address and half of them on
 * names that exist, and hostile applications. Asked for without regard to the answers.
 */
export async function compareAttack({ seconds }: { seconds: number }): Promise<Comparison[]> {
  const vouchers = seconds * A_SECOND.redeem * 2 + 10 * ALL
  const rows = [...countersAndLedger({ tills: ALL, vouchers }), ...(await accountRows(seconds))]
  return withServer(
    rows,
    async (server, place) => {
      const nextRequest = await attackRequests(server, place, { seconds, vouchers })
      await waitForQuietMachine()
      const perSecond = Object.values(A_SECOND).reduce((sum, rate) => sum + rate, 0)
      const connections = new KeptConnections(server)
      const all = await openLoad({ connections: [connections], nextRequest, steps: [{ perSecond, seconds }] })
      connections.end()
      return reportOf(all)
    },
    { TRUST_PROXY: 'on' },
  )
}

const loginsOf = (seconds: number) => seconds * (A_SECOND['bad login'] + A_SECOND.login)

const accountRows = async (seconds: number) => [
  `UPDATE app_user SET password_hash = '${await hashPassword(PASSWORD)}' WHERE type = 'POS User'`,
  `INSERT INTO known_device SELECT id, '${hashToken(DEVICE)}', now() FROM app_user WHERE type = 'POS User'`,
  `UPDATE branch SET pin_hash = '${await hashPassword(PIN)}', pin_set_at = now()`,
  `UPDATE organisation SET verification_method = 'Serial and branch PIN'`,
  `INSERT INTO password_nonce SELECT 'bench-' || n, now() + interval '1 hour' FROM generate_series(0, ${loginsOf(seconds)}) AS n`,
]

async function attackRequests(
  { url }: ServerProcess,
  { secrets }: BenchPlace,
  { seconds, vouchers }: { seconds: number; vouchers: number },
): Promise<() => { kind: Kind; text: string }> {
  const { host } = new URL(url)
  const till = await tillRequests(url, secrets, ALL)
  const letters = await sealedPasswords(secrets, seconds)
  const turns = { key: 0, 'bad login': 0, 'hostile signup': 0, redeem: 0, pin: 0, login: 0 }
  const post = (path: string, body: object, headers: Record<string, string>) =>
    rawRequest({ host, method: 'POST', path, body, headers })
  const logIn = (encrypted_password: string, name: object, headers: Record<string, string>) =>
    post('/api/auth/login', { ...name, encrypted_password }, headers)
  const texts: Record<Kind, (turn: number) => string> = {
    key: (turn) => rawRequest({ host, method: 'GET', path: '/api/auth/encryption_public_key', headers: from(turn) }),
    'bad login': (turn) => logIn(letters.wrong[turn]!, turn % 2 ? cashier(turn) : nobody(turn), from(turn)),
    'hostile signup': (turn) => post('/api/signup', HOSTILE, from(turn)),
    redeem: (turn) => till.redeem(Math.floor(turn / TILLS) * ALL + (turn % TILLS)),
    // Held for this till already, and never redeemed: the answer is the same again, after the PIN.
    pin: (turn) => till.verify(turn % TILLS, vouchers - 5 * ALL - (vouchers % ALL) + (turn % TILLS), { pin: PIN }),
    login: (turn) => logIn(letters.right[turn]!, cashier(turn), { Cookie: `device=${DEVICE}`, ...from(turn) }),
  }
  let asked = 0
  return () => {
    const kind = MIX[asked++ % MIX.length]!
    return { kind, text: texts[kind](turns[kind]++) }
  }
}

/** Every kind at its own pace. */
const MIX = (Object.entries(A_SECOND) as [Kind, number][])
  .flatMap(([kind, rate]) => Array.from({ length: rate }, (_, n) => ({ kind, at: (n + 0.5) / rate })))
  .toSorted((one, other) => one.at - other.at)
  .map(({ kind }) => kind)

const from = (turn: number) => ({ 'X-Forwarded-For': `10.${turn >> 16}.${(turn >> 8) & 255}.${turn & 255}` })

const cashier = (turn: number) => ({ kind: 'pos', username: `till-${TILLS + (turn % OTHERS)}` })

const nobody = (turn: number) => ({ kind: 'merchant', email: `nobody-${turn}@example.com` })

const HOSTILE = { application: { brands: Array.from({ length: SIGNUP_BYTES / 3 }, () => ({})) }, captcha_proof: 'x' }

/** As browsers seal them, with nonces that are in the database. */
async function sealedPasswords({ passwordKey }: BenchPlace['secrets'], seconds: number) {
  const key = await importSPKI(passwordKey.publicPem, 'RSA-OAEP-256')
  const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: passwordKey.id }
  const seal = (password: string, n: number) =>
    new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ password, nonce: `bench-${n}` })))
      .setProtectedHeader(header)
      .encrypt(key)
  const bad = seconds * A_SECOND['bad login']
  const many = (amount: number, password: string, first: number) =>
    Promise.all(Array.from({ length: amount }, (_, n) => seal(password, first + n)))
  return { wrong: await many(bad, 'Wrong-Horse-2026!', 0), right: await many(loginsOf(seconds) - bad, PASSWORD, bad) }
}

function reportOf(all: Answered[]): Comparison[] {
  const of = (kind: Kind) => all.filter((one) => one.kind === kind)
  const counts = (kind: Kind) => countsOf(of(kind).map(({ status }) => status))
  const attack = (['bad login', 'hostile signup'] as const).map((kind) => `${kind} ${counts(kind)}`).join('; ')
  const late = p99Of(all.map((one) => one.late))
  console.log(`The attack: ${attack}. The load itself was late by ${late.toFixed(0)} ms, p99.`)
  return GOALS.map(([kind, named, goal]) => {
    const p99 = p99Of(of(kind).map(({ ms }) => ms))
    return row(`under attack: p99 until ${named} (${counts(kind)})`, p99, asked('18.10', goal, 'ms'), '≤ 1.00')
  })
}
