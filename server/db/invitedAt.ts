import { type SQL, sql } from 'drizzle-orm'
import { passwordLink } from './schema.ts'

/** When the activation link that the account still waits with was mailed; null once it was used. `account` is its alias. */
export const invitedAt = (account: 'app_user' | 'login'): SQL<Date | null> =>
  sql<Date | null>`(
    SELECT max(l.created_at) FROM password_link l
    WHERE l.user_id = ${sql.raw(account)}.id AND l.kind = 'activation' AND l.used_at IS NULL AND NOT l.superseded
  )`.mapWith(passwordLink.createdAt) as SQL<Date | null>
