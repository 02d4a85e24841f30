import { useState } from 'react'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { Money } from '../../blocks/vouchers/Money.tsx'
import { pluralize } from '../../domain/quantities.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { thisTill, uploadNow } from '../../offline/redemptions/openTill.ts'
import { sumCents, type TillRow } from '../../offline/store/till.ts'
import { Button } from '../../ui/Button.tsx'
import type { Drawing } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Strip } from '../../ui/Strip.tsx'
import { redeemedAt, valueText, type TillRows } from './useTillRows.ts'
import { Serial } from './verdict/Ticket.tsx'
import { lossText, refusalMessage } from './verdict/verdicts.ts'

type Props = Pick<TillRows, 'uploading' | 'atRisk' | 'voiding' | 'attention'>

/** Shows the vouchers that wait for the server. Also shows what the server said about earlier vouchers, until a cashier marks it as seen. */
export function UploadStrips({ uploading, atRisk, voiding, attention }: Props) {
  const [now] = useState(() => new Date())
  const offline = useOffline()
  const kinds = [
    // Separate from the other uploads, because it is not known yet if the shop is paid.
    {
      kind: 'at risk',
      rows: atRisk,
      icon: ICONS.alert,
      become: ['was accepted at your shop’s risk', 'were accepted at your shop’s risk'],
    },
    {
      kind: 'uploading',
      rows: uploading,
      icon: ICONS.upload,
      become: offline ? WAITS_OFFLINE : IS_UPLOADING,
    },
    { kind: 'voiding', rows: voiding, icon: ICONS.wait, become: ['is being voided', 'are being voided'] },
  ] as const
  const shown = kinds.filter(({ rows }) => rows.length > 0)
  const all = shown.flatMap(({ rows }) => rows)
  return (
    <div aria-live="polite">
      {attention.map((row) => (
        <AttentionStrip key={row.id} row={row} now={now} />
      ))}
      {shown.map(({ kind, ...waiting }, at) => (
        <WaitingStrip key={kind} {...waiting} offline={offline} all={at === shown.length - 1 ? all : []} />
      ))}
    </div>
  )
}

const WAITS_OFFLINE = ['waits for the connection', 'wait for the connection'] as const

const IS_UPLOADING = ['is uploading', 'are uploading'] as const

interface WaitingProps {
  rows: readonly TillRow[]
  icon: Drawing
  /** The predicate for one voucher, and for several. */
  become: readonly [string, string]
  offline: boolean
  /** All rows that wait, for the last strip, which has the button. Empty for the other strips. */
  all: readonly TillRow[]
}

/** Shows the number and sum of vouchers that wait for the server. */
function WaitingStrip({ rows, icon, become: [one, several], offline, all }: WaitingProps) {
  // Offline there is no new answer of the server to show.
  const refused = offline
    ? undefined
    : all.find(({ lastMessage, pausedForConnection }) => lastMessage !== undefined && !pausedForConnection)
  return (
    <Strip
      icon={icon}
      action={
        all.length > 0 &&
        !offline && (
          <Button className="ml-auto shrink-0 text-base" onClick={() => void uploadNow()}>
            Upload now
          </Button>
        )
      }
    >
      <b className="font-strong">
        <span>{`${pluralize(rows.length, 'voucher')}, `}</span>
        <Money cents={sumCents(rows)} />
        <span>{`, ${rows.length === 1 ? one : several}.`}</span>
      </b>
      {all.length > 0 && <span> Keep this device on.</span>}
      {refused && <span>{` The last attempt: ${refused.lastMessage}`}</span>}
    </Strip>
  )
}

function AttentionStrip({ row, now }: { row: TillRow; now: Date }) {
  const { before, after, text } = attentionWords(row, now)
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
        <span translate="no">{valueText(row)}</span>
        <span>{after}</span>
        <Serial serial={row.serial} />
        <span>{` of ${formatAsOf(redeemedAt(row), now)}, by `}</span>
        <span translate="no">{row.owner_name}</span>.
      </b>
      <span>{` ${text}`}</span>
    </Strip>
  )
}

function attentionWords(row: TillRow, now: Date): { before: string; after: string; text: string } {
  const tell = 'Tell your branch manager.'
  switch (row.state) {
    case 'lost':
      return { before: `${lossText(row, now)}. `, after: ', voucher ', text: `${refusalMessage(row)} ${tell}` }
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

const markSeen = async (id: string) => (await thisTill()).acknowledge(id)
