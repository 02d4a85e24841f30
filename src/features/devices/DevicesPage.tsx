import { useMemo, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { useActivityMenuItem } from '../../blocks/activity/ActivityLink.tsx'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { BranchField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { ListFilters, filterField } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import { hasNoRow, ExportButton } from '../../blocks/tables/ListTools.tsx'
import type { ListState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import type { DeviceRow } from '../../contract/devices/devices.ts'
import { auth } from '../../state/auth.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AddDeviceDialog } from './AddDeviceDialog.tsx'
import { deviceActions, MoveDeviceDialog, RenameDeviceDialog, type DeviceAction } from './deviceActions.tsx'
import { DeviceDialog } from './DeviceDialog.tsx'
import { deviceList } from './deviceList.tsx'

const STATES = [
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

/** The tills of this merchant, and what about them needs somebody. */
export function DevicesPage({ state, onState }: ListState<'device'>) {
  usePageTitle('Devices')
  const { type } = useUser()
  const mayEdit = usePermission('pos', 'edit')
  const now = useServerMinute()
  const [opened, setOpened] = useState<DeviceRow>()
  const list = useMemo(() => deviceList(now, setOpened), [now])
  const read = useRecordList(list, state)
  const [doing, setDoing] = useState<DeviceAction>()
  const done = () => setDoing(undefined)
  const offline = useOffline()
  const activity = useActivityMenuItem('till')
  const filter = filterField({ state, onState })
  return (
    <>
      <PageHeader
        title="Devices"
        note="The tills of your counters, as they were when they last reached the server. They report by themselves."
        actions={
          <>
            {mayEdit && <NeedsConnection />}
            {mayEdit && (
              <Button
                variant="primary"
                icon={ICONS.plus}
                aria-disabled={offline}
                onClick={() => setDoing({ is: 'add' })}
              >
                Add a till
              </Button>
            )}
          </>
        }
      />
      <ListFilters
        {...{ list, state, onState }}
        tools={<ExportButton endpoint={list.exportAs} query={read.query} nothing={hasNoRow(read)} />}
      >
        <ListSearch label="Name" q={state.q} onSearch={(q) => onState({ q, page: 1 }, true)} />
        <SelectField label="Needs attention" options={STATES} {...filter('state')} />
        {/* All that a branch sees is its own. */}
        {type !== 'Branch Merchant' && <BranchField {...filter('branch')} />}
      </ListFilters>
      <RecordTable
        list={list}
        {...{ state, onState, read }}
        empty={NO_DEVICE}
        noMatch={{ title: 'No device matches' }}
        rowMenu={(row) => [
          { label: 'View details', onSelect: () => setOpened(row) },
          ...(mayEdit ? needsConnection(offline, deviceActions(row, setDoing, read.retry)) : []),
          ...activity(row.till_guid),
        ]}
      />
      {doing?.is === 'add' && <AddDeviceDialog row={doing.row} onEnrolled={read.retry} onClose={done} />}
      {doing?.is === 'rename' && <RenameDeviceDialog row={doing.row} onRenamed={read.retry} onClose={done} />}
      {doing?.is === 'move' && <MoveDeviceDialog row={doing.row} onMoved={read.retry} onClose={done} />}
      {opened && <DeviceDialog row={opened} now={now} onClose={() => setOpened(undefined)} onChanged={read.retry} />}
    </>
  )
}

/** Tills were heard of by the server's clock, whatever this device's says. */
function useServerMinute(): Date {
  const minute = useCurrentMinute()
  const { clock_offset_ms } = useSnapshot(auth)
  return useMemo(() => new Date(minute.getTime() + clock_offset_ms), [minute, clock_offset_ms])
}

const NO_DEVICE = (
  <EmptyState icon={ICONS.store} title="No devices yet" text="Add a till, and enter its code on the device." />
)
