import { useState } from 'react'
import { Money } from '../../blocks/vouchers/Money.tsx'
import { pluralize } from '../../domain/quantities.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { thisTill, uploadNow } from '../../offline/redemptions/openTill.ts'
import { happenedAt } from '../../offline/redemptions/tillRows.ts'
import { sumCents, type TillRow } from '../../offline/store/till.ts'
import { Button } from '../../ui/Button.tsx'
import type { Drawing } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Strip } from '../../ui/Strip.tsx'
import { redeemedAt, worthOf, type TillRows } from './useTillRows.ts'
import { lossReason, lossText } from './verdict/atRiskVerdicts.ts'
import { refusalMessage } from './verdict/redemptionVerdict.ts'
import { Serial } from './verdict/Ticket.tsx'

type Props = Pick<TillRows, 'uploading' | 'atRisk' | 'voiding' | 'attention'>

/** What waits for the server, and what it said after the cashier had gone on, until somebody has seen it. */
export function UploadStrips({ uploading, atRisk, voiding, attention }: Props) {
  const [now] = useState(() => new Date())
  const all = [...atRisk, ...uploading, ...voiding].toSorted((one, other) => happenedAt(one) - happenedAt(other))
  const kinds = [
    // Apart from what is safe: nobody knows yet whether the shop is paid.
    { rows: atRisk, icon: ICONS.alert, verb: ['was', 'were'], what: 'accepted at your shop’s risk' },
    { rows: uploading, icon: ICONS.upload, verb: ['is', 'are'], what: 'uploading' },
    { rows: voiding, icon: ICONS.back, verb: ['is', 'are'], what: 'being voided' },
  ] as const
  const shown = kinds.filter(({ rows }) => rows.length > 0)
  return (
    <div aria-live="polite">
      {attention.map((row) => (
        <Said key={row.id} {...{ row, now }} />
      ))}
      {shown.map((kind, at) => (
        <Waiting key={kind.what} {...kind} now={now} all={at === shown.length - 1 ? all : []} />
      ))}
    </div>
  )
}

interface WaitingProps {
  rows: readonly TillRow[]
  icon: Drawing
  /** Of one, and of several. */
  verb: readonly [string, string]
  what: string
  now: Date
  /** What can be done is done for all of these at once, and stands in the last strip. */
  all: readonly TillRow[]
}

/** What is stored on this device alone. */
function Waiting({ rows, icon, verb: [is, are], what, now, all }: WaitingProps) {
  const heard = all.find((row) => row.heard !== undefined)?.heard
  return (
    <Strip
      icon={icon}
      action={
        all.length > 0 && (
          <Button className="ml-auto shrink-0 text-base" onClick={() => void uploadNow()}>
            Upload now
          </Button>
        )
      }
    >
      <b className="font-strong">
        <span>{`${pluralize(rows.length, 'voucher')} ${rows.length === 1 ? is : are} ${what}, `}</span>
        <Money cents={sumCents(rows)} />,
      </b>
      <span>{` since ${formatAsOf(redeemedAt(rows[0]!), now)}.`}</span>
      {all.length > 0 && <span> Keep this device on.</span>}
      {heard !== undefined && <span>{` It keeps trying. The last attempt: ${heard}`}</span>}
    </Strip>
  )
}

function Said({ row, now }: { row: TillRow; now: Date }) {
  const { before, after, text } = saidOf(row, now)
  return (
    <Strip
      icon={ICONS.alert}
      action={
        <Button className="ml-auto text-base" onClick={() => void markSeen(row.id)}>
          Mark as seen
        </Button>
      }
    >
      <b className="font-strong">
        <span>{before}</span>
        <span translate="no">{worthOf(row)}</span>
        <span>{after}</span>
        <Serial serial={row.serial} />
        <span>{` of ${formatAsOf(redeemedAt(row), now)}, by `}</span>
        <span translate="no">{row.owner_name}</span>.
      </b>
      <span>{` ${text}`}</span>
    </Strip>
  )
}

function saidOf(row: TillRow, now: Date): { before: string; after: string; text: string } {
  const tell = 'Tell your branch manager.'
  switch (row.state) {
    case 'lost':
      return { before: `${lossText(row, now)}. `, after: ', voucher ', text: `${lossReason(row)} ${tell}` }
    case 'voided':
      return { before: '', after: ' was voided: voucher ', text: 'The voucher can be used again.' }
    case 'receipted':
      return {
        before: '',
        after: ' was not voided: voucher ',
        text: `It stays redeemed. ${refusalMessage(row)} ${tell}`,
      }
    default:
      return { before: '', after: ' was refused after upload: voucher ', text: `${refusalMessage(row)} ${tell}` }
  }
}

const markSeen = async (id: string) => (await thisTill()).understood(id)
