import type { RecordList } from '../../blocks/tables/RecordList.ts'
import type { LossReason, ReviewReason } from '../../contract/redemptions/allowance.ts'
import { losses, type LossRow } from '../../contract/redemptions/losses.ts'
import { formatCents } from '../../domain/money.ts'
import { formatDay, formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { Words } from '../../ui/Panel.tsx'

export const LOSS_LIST: RecordList<LossRow, 'loss'> = {
  name: 'loss',
  caption: 'Losses',
  table: losses.datatable,
  exportAs: losses.export,
  columns: [
    {
      key: 'serial',
      title: 'Serial number',
      exact: true,
      fold: 't1',
      nowrap: true,
      cell: ({ serial }) => <b className="font-strong whitespace-nowrap">{serialText(serial)}</b>,
    },
    { key: 'outcome', title: 'What happened', fold: 't2', cell: (row) => reasonText(row) },
    {
      key: 'cents',
      title: 'Amount',
      sort: 'cents',
      align: 'right',
      fold: 'v1',
      cell: ({ cents }) => formatCents(cents),
    },
    {
      key: 'accepted_at',
      title: 'Accepted',
      sort: 'accepted_at',
      nowrap: true,
      fold: 'v2',
      cell: ({ accepted_at }) => formatInstant(new Date(accepted_at)),
    },
    {
      key: 'till',
      title: 'Till',
      exact: true,
      sort: 'till',
      fold: 't3',
      cell: ({ till, branch_name }) => <Words>{`${till}, ${branch_name}`}</Words>,
    },
    {
      key: 'reviewed',
      title: 'Reviewed',
      hideBelow: 940,
      // By whom is in the file: an email would take the room of the till.
      cell: ({ reviewed_at }) => (reviewed_at ? formatDay(new Date(reviewed_at)) : 'Not yet'),
    },
  ],
  rowKey: ({ guid }) => guid,
  rowName: ({ serial, till }) => `${serialText(serial)}, ${till}`,
}

const serialText = (serial: string) => (serial === '' ? 'Not readable' : formatSerial(serial))

const REASONS: Record<LossReason | ReviewReason, string> = {
  'used elsewhere': 'Lost: used elsewhere',
  revoked: 'Lost: revoked by the programme',
  'over the limit': 'Refused: over the limit',
  'after the end': 'Refused: outside the time of the limit',
  'revoked till': 'Refused: the till was revoked',
  'not genuine': 'Refused: no such voucher of this branch',
}

const reasonText = ({ reason, used_at }: LossRow) =>
  used_at ? `${REASONS[reason]}, ${formatInstant(new Date(used_at))}` : REASONS[reason]
