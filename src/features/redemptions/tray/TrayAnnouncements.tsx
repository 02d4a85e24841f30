import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { playSound, type Sound } from '../../../blocks/vouchers/playSound.ts'
import { formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { connectivity } from '../../../offline/connectivity/connectivity.ts'
import { closeVoucherToasts } from '../refuseScan.ts'
import { useAnnouncement } from '../verdict/AnnouncementRegion.tsx'
import { SOUNDS } from '../verdict/tones.tsx'
import { rowWords } from './rowWords.ts'
import { isRedeemable, sumOfRows, type TrayRow, type TrayState } from './Tray.ts'

interface Announcement {
  text: string
  sound?: Sound | undefined
}

/** Announces each voucher once, by sound and words, when its state is known. A voucher that is scanned again is announced as already there. */
export function TrayAnnouncements({ rows, rescan, redeemed }: Pick<TrayState, 'rows' | 'rescan' | 'redeemed'>) {
  const knownStates = useRef(new Map<string, TrayRow['is']>())
  const [announcement, setAnnouncement] = useState<Announcement & { times: number }>()
  const announce = (next: Announcement) => setAnnouncement((before) => ({ ...next, times: (before?.times ?? 0) + 1 }))
  const announceChanges = useEffectEvent(() => {
    const before = knownStates.current
    knownStates.current = new Map(rows.map(({ key, is }) => [key, is]))
    const news = rows.filter(({ key, is }) => is !== before.get(key) && is !== 'checking' && is !== 'pin')
    // The messages about one customer must not stay for the next customer.
    if (rows.length === 0) {
      setAnnouncement(undefined)
      if (before.size > 0) closeVoucherToasts()
    }
    const bad = news.find((row) => !isRedeemable(row))
    const first = bad ?? news[0]
    if (!first) return
    announce({
      text: news.map((row) => textOf(row, rows)).join(' '),
      sound: soundOf(first),
    })
  })
  useEffect(() => announceChanges(), [rows])
  const lastRedeemed = useRef(redeemed)
  useEffect(() => {
    // Messages about a verdict are closed with the verdict.
    if (lastRedeemed.current && lastRedeemed.current !== redeemed) closeVoucherToasts()
    lastRedeemed.current = redeemed
  }, [redeemed])
  const sayRescan = useEffectEvent(() => announce({ text: 'Already in the tray.' }))
  useEffect(() => {
    if (rescan) sayRescan()
  }, [rescan])
  return announcement && <SingleAnnouncement key={announcement.times} {...announcement} />
}

/** Makes one announcement. Each has its own element, because two vouchers may get the same words. Removing it stops a sound that has not begun. */
function SingleAnnouncement({ text, sound }: Announcement) {
  useEffect(() => (sound ? playSound(sound) : undefined), [sound])
  useAnnouncement(text)
  return null
}

/** An offer has the sound of an unchecked voucher. The sound of the shop's risk comes when the cashier accepts the offer. */
const soundOf = (row: TrayRow): Sound | undefined =>
  row.is === 'offer' ? 'unchecked' : SOUNDS[rowWords(row, connectivity, true).tone]

function textOf(row: TrayRow, rows: readonly TrayRow[]): string {
  const { word, say, cents } = rowWords(row, connectivity, true)
  if (!isRedeemable(row)) return `${word}. ${say}`
  const all = rows.filter(isRedeemable)
  const sum = all.length > 1 ? `${pluralize(all.length, 'voucher')}, ${formatCents(sumOfRows(all))}.` : ''
  return [`${word}. ${formatCents(cents ?? 0)}.`, say, sum].filter(Boolean).join(' ')
}
