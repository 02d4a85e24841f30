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

/** Announces each voucher once, by sound and by words, when its state is known; a voucher that is scanned again is announced as already there. */
export function TrayAnnouncements({ rows, again, redeemed }: Pick<TrayState, 'rows' | 'again' | 'redeemed'>) {
  const known = useRef(new Map<string, TrayRow['is']>())
  const [said, setSaid] = useState<Announcement & { times: number }>()
  const say = (saying: Announcement) => setSaid((before) => ({ ...saying, times: (before?.times ?? 0) + 1 }))
  const look = useEffectEvent(() => {
    const before = known.current
    known.current = new Map(rows.map(({ key, is }) => [key, is]))
    const news = rows.filter(({ key, is }) => is !== before.get(key) && is !== 'checking' && is !== 'pin')
    // The words about one customer must not stay for the next.
    if (rows.length === 0) {
      setSaid(undefined)
      if (before.size > 0) closeVoucherToasts()
    }
    const bad = news.find((row) => !isRedeemable(row))
    const first = bad ?? news[0]
    if (!first) return
    say({
      text: news.map((row) => textOf(row, rows)).join(' '),
      sound: soundOf(first),
    })
  })
  useEffect(() => look(), [rows])
  const verdict = useRef(redeemed)
  useEffect(() => {
    // Words about a verdict go with it.
    if (verdict.current && verdict.current !== redeemed) closeVoucherToasts()
    verdict.current = redeemed
  }, [redeemed])
  const sayAgain = useEffectEvent(() => say({ text: 'Already in the tray.' }))
  useEffect(() => {
    if (again) sayAgain()
  }, [again])
  return said && <AnnouncementOnce key={said.times} {...said} />
}

/** One element for each announcement: two vouchers may get the same words. A sound that has not begun ends with it. */
function AnnouncementOnce({ text, sound }: Announcement) {
  useEffect(() => (sound ? playSound(sound) : undefined), [sound])
  useAnnouncement(text)
  return null
}

/** An offer sounds as unchecked; the sound of the shop's risk comes when the cashier accepts it. */
const soundOf = (row: TrayRow): Sound | undefined =>
  row.is === 'offer' ? 'unchecked' : SOUNDS[rowWords(row, connectivity, true).tone]

function textOf(row: TrayRow, rows: readonly TrayRow[]): string {
  const { word, say, cents } = rowWords(row, connectivity, true)
  if (!isRedeemable(row)) return `${word}. ${say}`
  const all = rows.filter(isRedeemable)
  const sum = all.length > 1 ? `${pluralize(all.length, 'voucher')}, ${formatCents(sumOfRows(all))}.` : ''
  return [`${word}. ${formatCents(cents ?? 0)}.`, say, sum].filter(Boolean).join(' ')
}
