import { CompactEncrypt, importSPKI } from 'jose'
import { PASSWORD, type User } from '../database/builders.ts'

/** Sends a request to the server: `app.request`, or `fetch` with an origin in front of the path. */
export type Ask = (path: string, init?: RequestInit) => Response | Promise<Response>

export interface Reply<D = unknown> {
  status: number
  headers: Headers
  data: D
  /** The error code of a failure. */
  error: string | undefined
  body: unknown
}

export interface Signed {
  token: string
  /** The cookies, as a browser would send them back. */
  cookie: string
}

export async function reply<D = unknown>(response: Response): Promise<Reply<D>> {
  const body = (await response.json()) as { data: D; error?: string }
  return { status: response.status, headers: response.headers, data: body.data, error: body.error, body }
}

export const get = async <D = unknown>(ask: Ask, path: string, token?: string, headers: Record<string, string> = {}) =>
  reply<D>(await ask(path, { headers: { ...bearer(token), ...headers } }))

export const post = async <D = unknown>(ask: Ask, path: string, body: unknown, token?: string) =>
  reply<D>(await sendPost(ask, path, body, token))

export const sendPost = (ask: Ask, path: string, body: unknown, token?: string) =>
  send(ask, 'POST', path, { body, token })

interface Sent {
  body?: unknown
  token?: string | undefined
  headers?: Record<string, string>
}

/** Sends a request of any method, with a JSON body if one is given. */
export const send = (ask: Ask, method: string, path: string, { token, headers, ...given }: Sent = {}) =>
  ask(path, {
    method,
    headers: { ...('body' in given ? JSON_TYPE : {}), ...bearer(token), ...headers },
    ...('body' in given ? { body: JSON.stringify(given.body) } : {}),
  })

const JSON_TYPE = { 'content-type': 'application/json' }

const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

type OfferedKey = Record<'public_key' | 'key_id' | 'nonce', string>

/** The user who logs in. */
export type Login = Pick<User, 'loginKind' | 'loginName'>

export async function encryptPassword(ask: Ask, password: string, change: Partial<OfferedKey> = {}): Promise<string> {
  const { data } = await get<OfferedKey>(ask, '/api/auth/encryption_public_key')
  const { public_key, key_id, nonce } = { ...data, ...change }
  const plaintext = new TextEncoder().encode(JSON.stringify({ password, nonce }))
  return new CompactEncrypt(plaintext)
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: key_id })
    .encrypt(await importSPKI(public_key, 'RSA-OAEP-256'))
}

/** Tries to log in once and returns the answer, also of a failure. */
export const tryToLogIn = async (ask: Ask, user: Login, password: string = PASSWORD) =>
  login(ask, user, await encryptPassword(ask, password))

export function login(ask: Ask, user: Login, encrypted_password: string) {
  const name = user.loginKind === 'pos' ? { username: user.loginName } : { email: user.loginName }
  const body = { kind: user.loginKind, ...name, encrypted_password }
  return post<{ access_token: string; public_key: string }>(ask, '/api/auth/login', body)
}

/** Answers to the challenges of a login. */
export interface Answers {
  password?: string
  newPassword?: string
  /** Returns the current code of the authenticator app, or a recovery code. */
  code?: () => string
}

/** Logs `user` in and answers its challenges with `answers`. The user's earlier session ends. */
export async function logIn(ask: Ask, user: Login, answers: Answers = {}): Promise<Signed> {
  let step: Reply<Partial<{ access_token: string } & Challenged>> = await tryToLogIn(ask, user, answers.password)
  if (step.data?.challenge === 'NEW_PASSWORD' && answers.newPassword !== undefined) {
    const encrypted_new_password = await encryptPassword(ask, answers.newPassword)
    step = await post(ask, '/api/auth/set_new_password', { session: step.data.session, encrypted_new_password })
  }
  if (step.data?.challenge === 'MFA_CODE' && answers.code) {
    step = await post(ask, '/api/auth/verify_mfa', { session: step.data.session, code: answers.code() })
  }
  const { status, data, error } = step
  if (data?.access_token === undefined) {
    throw new Error(`login of ${user.loginName} gave ${status} ${error ?? data?.challenge}`)
  }
  return { token: data.access_token, cookie: cookiesOf(step) }
}

export interface Challenged {
  challenge: string
  session: string
}

/** Returns all cookies that were set, as a browser would send them back. */
export const cookiesOf = ({ headers }: Reply): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

export const refresh = (ask: Ask, token: string, cookie: string, headers: Record<string, string> = {}) =>
  get<{ access_token: string }>(ask, '/api/account/refresh', token, { cookie, ...headers })
