import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import { connectivity } from '../../offline/page/connectivity.ts'
import { isUnsettled, pruneTill, tillRows, withRedemption } from '../../offline/page/tillStore.ts'
import { useLiveQuery } from '../../offline/page/useLiveQuery.ts'
import type { TillRow } from '../../offline/store/tillDatabase.ts'
import { resolveAbandoned } from './redemption.ts'

const ASK_EVERY_MS = 5_000

/** The Singapore day, followed past midnight: a counter may stay open for days. */
function useToday(): string {
  const [today, setToday] = useState(() => singaporeDay(new Date()))
  useEffect(() => {
    const timer = setInterval(() => setToday(singaporeDay(new Date())), 60_000)
    return () => clearInterval(timer)
  }, [])
  return today
}

/** This cashier's redemptions on this device: today's receipts, what is still unsettled, and receipts nobody has been told of. */
export function useTillRows(owner: string) {
  const rows = useLiveQuery(() => tillRows(owner), `till/${owner}`) ?? []
  const today = useToday()
  const receipted = rows.flatMap((row) => (row.state === 'receipted' && row.receipt ? [row.receipt] : []))
  const unsettled = rows.filter(isUnsettled)
  useResolving(unsettled)
  return {
    today: receipted.filter(({ redeemed_at }) => singaporeDay(new Date(redeemed_at)) === today),
    unsettled,
    unseen: rows.filter((row) => row.unseen && row.receipt),
  }
}

/** Asks what became of each unsettled row until there is an answer; a row another tab is waiting for is left to that tab. */
function useResolving(unsettled: TillRow[]) {
  const { verdict } = useSnapshot(connectivity)
  const ids = unsettled.map(({ id }) => id).join()
  const ask = useEffectEvent(() => void resolveAll(unsettled))
  useEffect(() => void pruneTill().catch(() => undefined), [])
  useEffect(() => {
    if (ids === '') return undefined
    ask()
    const timer = setInterval(() => ask(), ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [ids, verdict])
}

async function resolveAll(rows: TillRow[]) {
  for (const row of rows) await withRedemption(row.id, () => resolveAbandoned(row))
}
