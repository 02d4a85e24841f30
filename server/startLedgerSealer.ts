import type { Deps } from './Deps.ts'
import { sealLedger } from './services/redemptions/ledgerSeals.ts'

const SEAL_LEDGER_EVERY_MS = 60_000

/** Seals what the ledger has taken in, now and every minute. Answers what ends it. */
export function startLedgerSealer(deps: Deps): () => void {
  const seal = () =>
    deps.background.run('ledger_seal_failed', async () => {
      await sealLedger(deps)
    })
  seal()
  const timer = setInterval(seal, SEAL_LEDGER_EVERY_MS)
  return () => clearInterval(timer)
}
