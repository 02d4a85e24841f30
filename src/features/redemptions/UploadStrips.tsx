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

/** Vouchers that wait to be uploaded, and every upload that was refused or lost until somebody has seen it. */
export function UploadStrips({ uploading, atRisk, attention }: Pick<TillRows, 'uploading' | 'atRisk' | 'attention'>) {
  const [now] = useState(() => new Date())
  const all = [...atRisk, ...uploading].toSorted((one, other) => happenedAt(one) - happenedAt(other))
  const kinds = [
    // Apart from what is safe: nobody knows yet whether the shop is paid.
    { rows: atRisk, icon: ICONS.alert, verb: ['was', 'were'], what: 'accepted at your shop’s risk' },
    { rows: uploading, icon: ICONS.upload, verb: ['is', 'are'], what: 'uploading' },
  ] as const
  const shown = kinds.filter(({ rows }) => rows.length > 0)
  return (
    <div aria-live="polite">
      {attention.map((row) => (
        <RefusedUpload key={row.id} {...{ row, now }} />
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

function RefusedUpload({ row, now }: { row: TillRow; now: Date }) {
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
        {row.state === 'lost' && <span>{`${lossText(row, now)}. `}</span>}
        <span translate="no">{worthOf(row)}</span>
        <span>{row.state === 'lost' ? ', voucher ' : ' was refused after upload: voucher '}</span>
        <Serial serial={row.serial} />
        <span>{` of ${formatAsOf(redeemedAt(row), now)}, by `}</span>
        <span translate="no">{row.owner_name}</span>.
      </b>
      <span>{` ${row.state === 'lost' ? lossReason(row) : refusalMessage(row)} Tell your branch manager.`}</span>
    </Strip>
  )
}

const markSeen = async (id: string) => (await thisTill()).understood(id)
