import type { Deps } from '../Deps.ts'
import { asActor } from '../http/handlers.ts'
import type { RoutesOf } from '../http/Route.ts'
import { readPayments } from '../services/payments/readPayments.ts'
import { statementFile } from '../services/payments/statementFile.ts'

export const paymentRoutes = (deps: Deps): RoutesOf<'payments'> => ({
  'payments.read': asActor(deps, readPayments),
  'payments.statement': { identify: 'actor', handle: ({ actor, body }) => statementFile(deps, actor, body) },
})
