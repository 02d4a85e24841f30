import { send } from '../api/portalClient.ts'
import { makeMerchant, makePosUser, type User } from '../database/builders.ts'
import type { TestServer } from '../server/testServer.ts'
import { TestSession } from './TestSession.ts'

const TILLS = 2

export type Staff = Awaited<ReturnType<typeof makeStaff>>

/** A merchant, and a cashier at each of two tills of one branch. */
export async function makeStaff(server: TestServer) {
  const { db } = server.database
  const merchant = await makeMerchant(db)
  const cashiers: { user: User; till: string; session: TestSession }[] = []
  for (let made = 1; made <= TILLS; made += 1) {
    const user = await makePosUser(db, merchant)
    const session = await TestSession.begin(server, user.id)
    const till: string = crypto.randomUUID()
    const named = { token: await session.token(), body: { name: `Till ${made}` } }
    await send(server.ask, 'PUT', `/api/till/${till}`, named)
    cashiers.push({ user, till, session })
  }
  return { main: await TestSession.begin(server, merchant.main.id), branchId: merchant.branch.id, cashiers }
}
