import { useMemo, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { usePermission } from '../../blocks/accounts/useUser.ts'
import { useActivityMenuItem } from '../../blocks/activity/ActivityLink.tsx'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { AddDeviceDialog } from '../../blocks/devices/AddDeviceDialog.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { BranchFilter } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { InstantOrNever } from '../../blocks/tables/InstantOrNever.tsx'
import { filterField, isEmptyList, ListFilters } from '../../blocks/tables/ListFilters.tsx'
import type { ListState, RecordList } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { type DeviceRow, devices } from '../../contract/devices/devices.ts'
import { concernMessages, type DeviceConcern, deviceConcerns } from '../../domain/devices/deviceConcerns.ts'
import { formatCents } from '../../domain/money.ts'
import { auth } from '../../state/auth.ts'
import { Button } from '../../ui/Button.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ExactSentence } from '../../ui/ExactSentence.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { type Drawing, Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Words } from '../../ui/Panel.tsx'
import { type DeviceAction, deviceActions, MoveDeviceDialog, RenameDeviceDialog } from './deviceActions.tsx'
import { DeviceDialog } from './DeviceDialog.tsx'

const STATE_OPTIONS = [
  { value: '', label: 'All' },
  { value: 'waiting', label: 'Vouchers waiting' },
  { value: 'not settled', label: 'Held and not settled' },
  { value: 'refused', label: 'Uploads refused' },
  { value: 'to review', label: 'Late uploads to review' },
  { value: 'update waits', label: 'Update waiting' },
  { value: 'not reported', label: 'Not reported yet' },
  { value: 'not enrolled', label: 'Not enrolled' },
  { value: 'revoked', label: 'Revoked' },
]

/** The tills of this merchant, and their concerns. */
export function DevicesPage({ state, onState }: ListState<'device'>) {
  usePageTitle('Tills')
  const mayEdit = usePermission('pos', 'edit')
  const now = useServerMinute()
  const [opened, setOpened] = useState<DeviceRow>()
  const list = useMemo(() => deviceList(now, setOpened), [now])
  const read = useRecordList(list, state)
  const [openAction, setOpenAction] = useState<DeviceAction>()
  const closeAction = () => setOpenAction(undefined)
  const offline = useOffline()
  const activity = useActivityMenuItem('till')
  const filter = filterField({ state, onState })
  // An empty list says what to do in its middle.
  const isEmpty = isEmptyList(read, state)
  const add = mayEdit && (
    <>
      <NeedsConnection />
      <Button variant="primary" icon={ICONS.plus} aria-disabled={offline} onClick={() => setOpenAction({ is: 'add' })}>
        Add a till
      </Button>
    </>
  )
  return (
    <>
      <PageHeader
        title="Tills"
        note={!isEmpty && 'The tills of your counters. Status as of each till’s last contact.'}
        actions={!isEmpty && add}
      />
      <ListFilters search="Name" list={list} state={state} onState={onState} read={read}>
        <SelectField label="Needs attention" options={STATE_OPTIONS} {...filter('state')} />
        <BranchFilter {...filter('branch')} />
      </ListFilters>
      <RecordTable
        list={list}
        state={state}
        onState={onState}
        read={read}
        empty={
          <EmptyState
            drawing={DRAWINGS.empty}
            title="No tills yet"
            text="Add a till, and enter its code on the device."
            actions={add}
          />
        }
        noMatch={{ title: 'No till matches' }}
        rowMenu={(row) => [
          { label: 'View details', onSelect: () => setOpened(row) },
          ...(mayEdit ? needsConnection(offline, deviceActions(row, setOpenAction, read.retry)) : []),
          ...activity(row.till_guid),
        ]}
      />
      {openAction?.is === 'add' && (
        <AddDeviceDialog row={openAction.row} onEnrolled={read.retry} onClose={closeAction} />
      )}
      {openAction?.is === 'rename' && (
        <RenameDeviceDialog row={openAction.row} onChanged={read.retry} onClose={closeAction} />
      )}
      {openAction?.is === 'move' && (
        <MoveDeviceDialog row={openAction.row} onChanged={read.retry} onClose={closeAction} />
      )}
      {opened && <DeviceDialog row={opened} now={now} onClose={() => setOpened(undefined)} onChanged={read.retry} />}
    </>
  )
}

/** Returns the current minute of the server, because the server dates the reports of tills. */
function useServerMinute(): Date {
  const minute = useCurrentMinute()
  const { clock_offset_ms } = useSnapshot(auth)
  return useMemo(() => new Date(minute.getTime() + clock_offset_ms), [minute, clock_offset_ms])
}

/** Returns the list at the time `now`, because a till's silence grows even without a new answer. */
const deviceList = (now: Date, onOpen: (row: DeviceRow) => void): RecordList<DeviceRow, 'device'> => ({
  name: 'device',
  caption: 'Tills',
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
        // A button that looks like a link: it opens a dialog over the table.
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
      cell: (row) => <Concerns row={row} now={now} />,
    },
    {
      key: 'waiting',
      title: 'Waiting',
      sort: 'waiting',
      align: 'right',
      fold: 'v1',
      cell: ({ report }) => (report?.waiting.count ? formatCents(report.waiting.cents) : <Dash />),
    },
    {
      key: 'heard_at',
      title: 'Last seen',
      sort: 'heard_at',
      nowrap: true,
      fold: 'v2',
      cell: ({ report }) => <InstantOrNever at={report?.heard_at} />,
    },
    { key: 'user', title: 'Logged in', exact: true, hideBelow: 940, cell: ({ report }) => report?.user ?? <Dash /> },
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

const Dash = () => <span className="text-muted phone:hidden">–</span>

const MINOR_CONCERNS: ReadonlySet<DeviceConcern['is']> = new Set(['not reported', 'not enrolled', 'removing', 'update'])

/** Shows the worst concern and the number of others. */
function Concerns({ row, now }: { row: DeviceRow; now: Date }) {
  const [worst, ...more] = deviceConcerns(row, now.getTime())
  const revokedText = row.moved_to ? `Moved to ${row.moved_to}` : 'Revoked'
  if (!worst)
    return row.revoked_at ? (
      <MarkedText icon={ICONS.x} text={revokedText} />
    ) : (
      <MarkedText icon={ICONS.ok} text="Nothing" />
    )
  const isMinor = MINOR_CONCERNS.has(worst.is)
  return (
    <MarkedText
      icon={isMinor ? ICONS.clock : ICONS.alert}
      text={`${concernMessages(worst).short}${more.length > 0 ? `, and ${more.length} more` : ''}`}
      warns={!isMinor}
    />
  )
}

const MarkedText = ({ icon, text, warns = false }: { icon: Drawing; text: string; warns?: boolean }) => (
  <span className={`flex items-center gap-2 ${warns ? 'font-label text-warn-text' : 'text-muted'}`}>
    <Icon drawing={icon} small />
    <span>
      <ExactSentence text={text} />
    </span>
  </span>
)
