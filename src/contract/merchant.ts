import * as v from 'valibot'
import { guid } from './bricks.ts'
import { endpoint } from './endpoint.ts'

/**
 * For an account of my scope that was never activated: a new link, which ends the one before; three an hour (cases AUT-28).
 * The id is the account's guid.
 */
export const resendInvitation = endpoint({
  base: 'api',
  method: 'PUT',
  path: '/merchant/invitation/resend/:id',
  access: { feature: 'branches', action: 'edit' },
  summary: 'Mail the activation link of an account again',
  params: v.strictObject({ id: guid }),
  answer: v.object({ sent: v.literal(true) }),
  errors: ['ALREADY_ACTIVE', 'TOO_MANY_ATTEMPTS'],
})
