import * as v from 'valibot'
import { guid } from '../../src/contract/fieldSchemas.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { Refusal } from '../services/Refusal.ts'
import { parseInput } from './parseInput.ts'

type HeaderName = NonNullable<Endpoint['headers']>[number]

/** The headers an endpoint asks for beyond Authorization. Throws Refusal IDEMPOTENCY_KEY_REQUIRED or VALIDATION_FAILED. */
export function requiredHeaders({ headers = [] }: Endpoint, read: (name: string) => string | undefined) {
  return Object.fromEntries(headers.map((name) => [name, READ[name](read(name))]))
}

const READ: Record<HeaderName, (value: string | undefined) => string> = {
  'idempotency-key': (value) => {
    if (!value) throw new Refusal('IDEMPOTENCY_KEY_REQUIRED')
    return parseInput(v.object({ 'idempotency-key': guid }), { 'idempotency-key': value })['idempotency-key']
  },
  // Spec §6: the reporting service knows one login type.
  'login-type': (value) => parseInput(LoginType, { 'login-type': value ?? '' })['login-type'],
}

const LoginType = v.object({ 'login-type': v.literal('MERCHANT', 'must be MERCHANT') })
