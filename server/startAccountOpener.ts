import type { Deps } from './Deps.ts'
import { openAccounts } from './services/merchants/openAccounts.ts'

const OPEN_ACCOUNTS_EVERY_MS = 60_000

/** Opens the accounts that a server has died before opening, now and every minute. Answers what ends it. */
export function startAccountOpener(deps: Deps): () => void {
  const open = () => deps.background.run('open_accounts_failed', () => openAccounts(deps))
  open()
  const timer = setInterval(open, OPEN_ACCOUNTS_EVERY_MS)
  return () => clearInterval(timer)
}
