import type { RecordList } from '../../blocks/tables/RecordList.ts'
import { devices, type DeviceRow } from '../../contract/devices/devices.ts'
import { concernMessages, deviceConcerns, type DeviceConcern } from '../../domain/devices/deviceConcerns.ts'
import { formatCents } from '../../domain/money.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { ExactSentence } from '../../ui/ExactSentence.tsx'
import { Icon, type Drawing } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Words } from '../../ui/Panel.tsx'

/** As it is `now`: silence grows while nobody asks. */
export const deviceList = (now: Date, onOpen: (row: DeviceRow) => void): RecordList<DeviceRow, 'device'> => ({
  name: 'device',
  caption: 'Devices',
  table: devices.datatable,
  exportAs: devices.export,
  columns: [
    {
      key: 'name',
      title: 'Name',
      exact: true,
      sort: 'name',
      fold: 't1',
      cell: (row) => (
        // Opens the till over the table: an act, but read like a link.
        <button
          type="button"
          className="text-left font-strong text-link underline decoration-1 underline-offset-[0.2em] hover:decoration-2"
          onClick={() => onOpen(row)}
          data-opens
        >
          {row.name}
        </button>
      ),
    },
    {
      key: 'state',
      title: 'Needs attention',
      sort: 'attention',
      fold: 't2',
      cell: (row) => <Concerns {...{ row, now }} />,
    },
    {
      key: 'waiting',
      title: 'Waiting',
      sort: 'waiting',
      align: 'right',
      fold: 'v1',
      cell: ({ report }) => (report?.waiting.count ? formatCents(report.waiting.cents) : <None />),
    },
    {
      key: 'heard_at',
      title: 'Last seen',
      sort: 'heard_at',
      nowrap: true,
      fold: 'v2',
      cell: ({ report }) =>
        report ? formatInstant(new Date(report.heard_at)) : <span className="text-muted">Never</span>,
    },
    { key: 'user', title: 'Logged in', exact: true, hideBelow: 940, cell: ({ report }) => report?.user ?? <None /> },
    {
      key: 'branch',
      title: 'Branch',
      exact: true,
      sort: 'branch',
      fold: 't3',
      cell: ({ branch_name }) => <Words>{branch_name}</Words>,
    },
  ],
  rowKey: ({ guid }) => guid,
  rowName: ({ name, branch_name }) => `${name}, ${branch_name}`,
})

const None = () => <span className="text-muted phone:hidden">–</span>

const MINOR: ReadonlySet<DeviceConcern['is']> = new Set(['not reported', 'not enrolled', 'removing', 'update'])

/** The worst, and how much more. */
function Concerns({ row, now }: { row: DeviceRow; now: Date }) {
  const [worst, ...more] = deviceConcerns(row, now.getTime())
  const out = row.moved_to ? `Moved to ${row.moved_to}` : 'Revoked'
  if (!worst) return row.revoked_at ? <Mark icon={ICONS.x} text={out} /> : <Mark icon={ICONS.ok} text="Nothing" />
  const isMinor = MINOR.has(worst.is)
  return (
    <Mark
      icon={isMinor ? ICONS.clock : ICONS.alert}
      text={`${concernMessages(worst).short}${more.length > 0 ? `, and ${more.length} more` : ''}`}
      warns={!isMinor}
    />
  )
}

const Mark = ({ icon, text, warns = false }: { icon: Drawing; text: string; warns?: boolean }) => (
  <span className={`flex items-center gap-2 ${warns ? 'font-label text-warn-text' : 'text-muted'}`}>
    <Icon drawing={icon} small />
    <span>
      <ExactSentence text={text} />
    </span>
  </span>
)
