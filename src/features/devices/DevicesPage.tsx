import { useMemo, useState } from 'react'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { useActivityMenuItem } from '../../blocks/activity/ActivityLink.tsx'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { BranchField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { ColumnMenu } from '../../blocks/tables/ColumnMenu.tsx'
import { isNarrowed, ListFilters, UNFILTERED } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import { ExportButton, hasNoRow } from '../../blocks/tables/ListTools.tsx'
import type { ChangeTableState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import type { DeviceRow } from '../../contract/devices.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { DeviceDialog } from './DeviceDialog.tsx'
import { deviceList, type DeviceColumn, type DeviceFilter, type DeviceTableState } from './deviceList.tsx'
import { RenameDeviceDialog } from './RenameDeviceDialog.tsx'
import { RescueLink } from './WaitingPanel.tsx'

interface Props {
  state: DeviceTableState
  onState: ChangeTableState<DeviceColumn, DeviceFilter>
}

const STATES = [
  { value: '', label: 'All' },
  { value: 'waiting', label: 'Vouchers waiting' },
  { value: 'refused', label: 'Uploads refused' },
  { value: 'update waits', label: 'Update waiting' },
  { value: 'not reported', label: 'Not reported yet' },
]

/** The tills of this merchant, and what about them needs somebody. */
export function DevicesPage({ state, onState }: Props) {
  usePageTitle('Devices')
  const { type } = useUser()
  const mayImport = usePermission('vouchers', 'edit')
  const now = useCurrentMinute()
  const [opened, setOpened] = useState<DeviceRow>()
  const list = useMemo(() => deviceList(now, setOpened), [now])
  const read = useRecordList(list, state)
  const [renamed, setRenamed] = useState<DeviceRow>()
  const offline = useOffline()
  const activity = useActivityMenuItem('till')
  const filter = (name: DeviceFilter) => ({
    value: state.filter[name] ?? '',
    onChange: (value: string) => onState({ filter: { ...state.filter, [name]: value }, page: 1 }),
  })
  return (
    <>
      <PageHeader
        title="Devices"
        note="The tills of your counters, as they were when they last reached the server. They report by themselves."
        actions={mayImport && <RescueLink part="import">Import a rescue copy</RescueLink>}
      />
      <ListFilters
        {...{ list, state, onState }}
        views="device"
        tools={
          <>
            <ColumnMenu list={list} view={state.view} />
            <ExportButton endpoint={list.exportAs} query={read.query} nothing={hasNoRow(read)} />
          </>
        }
      >
        <ListSearch label="Name" q={state.q} onSearch={(q) => onState({ q, page: 1 }, true)} />
        <SelectField label="Needs attention" options={STATES} {...filter('state')} />
        {/* All that a branch sees is its own. */}
        {type !== 'Branch Merchant' && <BranchField {...filter('branch')} />}
      </ListFilters>
      <RecordTable
        list={list}
        {...{ state, onState, read }}
        empty={<NoDevices narrowed={isNarrowed(state)} onClear={() => onState(UNFILTERED)} />}
        rowMenu={(row) => [
          { label: 'View details', onSelect: () => setOpened(row) },
          ...needsConnection(offline, [{ label: 'Rename', onSelect: () => setRenamed(row) }]),
          ...activity(row.till_guid),
        ]}
      />
      {renamed && <RenameDeviceDialog row={renamed} onRenamed={read.retry} onClose={() => setRenamed(undefined)} />}
      {opened && <DeviceDialog row={opened} now={now} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function NoDevices({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  if (narrowed) {
    return (
      <EmptyState icon="search" title="No device matches" actions={<Button onClick={onClear}>Clear search</Button>} />
    )
  }
  return (
    <EmptyState
      icon="store"
      title="No devices yet"
      text="A device appears here when a cashier has logged in on it and given it a name."
    />
  )
}
