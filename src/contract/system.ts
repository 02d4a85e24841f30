import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { optionalText } from './wireFields.ts'

export const health = endpoint({
  method: 'GET',
  path: '/health',
  access: 'public',
  summary: 'Check that this server is alive; it returns the nonce, so that no captive portal can pass for it',
  query: v.strictObject({ nonce: v.optional(optionalText(64), '') }),
  answer: v.object({ nonce: v.string() }),
})

export const ready = endpoint({
  method: 'GET',
  path: '/ready',
  access: 'public',
  summary:
    'Check that the database answers, and what it survives. Not ready: about to stop, or its connections are not as required',
  answer: v.object({
    database: v.picklist(['embedded', 'postgresql']),
    durability: v.picklist(['process crash', 'power loss']),
  }),
  errors: ['DB_UNAVAILABLE', 'STOPPING'],
})

const SupportContact = v.object({ email: v.string(), phone: v.nullable(v.string()) })
export type SupportContact = v.InferOutput<typeof SupportContact>

export const support = endpoint({
  method: 'GET',
  path: '/support',
  access: 'public',
  summary: 'The contact that merchants and cashiers ask for help',
  answer: SupportContact,
})

const DemoAccount = v.object({
  kind: v.picklist(['merchant', 'pos']),
  login_name: v.string(),
  /** For example "HRP Merchant, the main account". */
  description: v.string(),
})
export type DemoAccount = v.InferOutput<typeof DemoAccount>

/** The accounts of the demo, with the password of all of them. */
const DemoLogins = v.object({ password: v.string(), accounts: v.array(DemoAccount) })
export type DemoLogins = v.InferOutput<typeof DemoLogins>

export const demo = endpoint({
  method: 'GET',
  path: '/demo',
  access: 'public',
  summary: 'The accounts of the demo; null on a server without one',
  answer: v.nullable(DemoLogins),
})
