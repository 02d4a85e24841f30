import { useState } from 'react'
import { call } from '../../api/call.ts'
import type { Branch } from '../../contract/branches.ts'
import * as pos from '../../contract/posUsers.ts'
import { type PosUserRow, posUsers } from '../../contract/posUsers.ts'
import { type ColumnOf, UNUSED_DAYS } from '../../contract/tables/lists.ts'
import { Button } from '../../ui/Button.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { ICONS } from '../../ui/icons.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import type { Column } from '../../ui/table/tableColumn.ts'
import { STATUS } from '../accounts/accountColumns.tsx'
import { usePermission } from '../accounts/useUser.ts'
import { useActivityMenuItem } from '../activity/ActivityLink.tsx'
import { NeedsConnection } from '../connectivity/OnlineLink.tsx'
import { needsConnection, useOffline } from '../connectivity/useOffline.ts'
import { AddDeviceDialog } from '../devices/AddDeviceDialog.tsx'
import { deleteItem, statusItem, holdsWarning, runAction } from '../record/recordActions.ts'
import { InstantOrNever } from '../tables/InstantOrNever.tsx'
import { filterField, isEmptyList, ListFilters, StatusFilter } from '../tables/ListFilters.tsx'
import { ImportLink } from '../tables/ListTools.tsx'
import type { ListState, RecordList } from '../tables/RecordList.ts'
import { RecordTable } from '../tables/RecordTable.tsx'
import { useRecordList } from '../tables/useRecordList.ts'
import { PosUserDialog, type PosUserDialogState } from './PosUserDialog.tsx'

interface Props extends PosTable {
  branch: Pick<Branch, 'guid' | 'name'>
  /** Called when the number of users may have changed. */
  onCount?: () => void
  /** True right after the branch was created: its first cashier is asked for at once. */
  isNew?: boolean
}

/** Shows the cashiers of one branch, as a tab of the branch and of the branch's own profile (rule 7.6). */
export function PosUsers({ branch, state, onState, onCount, isNew = false }: Props) {
  const [dialog, setDialog] = useState<PosUserDialogState | undefined>(isNew ? { open: 'create' } : undefined)
  const [isAddingTill, setAddingTill] = useState(false)
  const offline = useOffline()
  const mayCreate = usePermission('pos', 'create')
  const mayEdit = usePermission('pos', 'edit')
  const read = useRecordList(POS_LIST, state, { branch: branch.guid })
  const changed = () => {
    read.retry()
    onCount?.()
    // The list as shown is still empty, so this was the first cashier: next, the counter needs a till.
    if (isEmptyList(read, state)) setAddingTill(true)
  }
  const create = { offline, onClick: () => setDialog({ open: 'create' }) }
  const filter = filterField({ state, onState })
  const activity = useActivityMenuItem('pos_user')
  const menu = (row: PosUserRow) => [
    ...needsConnection(offline, posUserMenu(row, { onDialog: setDialog, onChanged: changed })),
    ...activity(row.guid),
  ]
  return (
    <>
      <ListFilters
        search="Username"
        list={POS_LIST}
        state={state}
        onState={onState}
        read={read}
        // An empty list has its button in the middle.
        tools={
          mayCreate &&
          !isEmptyList(read, state) && (
            <>
              <ImportLink to="/imports/pos-users" />
              <CreateButton {...create} />
            </>
          )
        }
      >
        <StatusFilter statuses={['Active', 'Inactive']} {...filter('status')} />
        <SelectField
          label="Use"
          options={[
            { value: '', label: 'All' },
            { value: 'unused', label: `Not used for ${UNUSED_DAYS} days` },
          ]}
          {...filter('use')}
        />
      </ListFilters>
      <RecordTable
        list={POS_LIST}
        state={state}
        onState={onState}
        read={read}
        {...(mayEdit ? { rowMenu: menu } : {})}
        empty={
          <EmptyState
            drawing={DRAWINGS.empty}
            title="No POS user yet"
            text="Create one for each till or cashier. It logs in on the tab “Point of sale” and redeems vouchers."
            actions={mayCreate && <CreateButton {...create} />}
          />
        }
        noMatch={{ title: 'No POS user matches' }}
      />
      <PosUserDialog dialog={dialog} branch={branch} onDialog={setDialog} onChanged={changed} />
      {isAddingTill && !dialog && <AddDeviceDialog branch={branch.guid} onClose={() => setAddingTill(false)} />}
    </>
  )
}

interface CreateButtonProps {
  offline: boolean
  onClick: () => void
}

const CreateButton = ({ offline, onClick }: CreateButtonProps) => (
  <>
    <NeedsConnection />
    <Button icon={ICONS.plus} variant="primary" data-stays aria-disabled={offline || undefined} onClick={onClick}>
      Create POS user
    </Button>
  </>
)

/** The state of the table, which is in the URL, and the function that writes it. */
export interface PosTable extends ListState<'pos'> {}

const COLUMNS: readonly Column<PosUserRow, ColumnOf<'pos'>>[] = [
  {
    key: 'username',
    title: 'Username',
    exact: true,
    sort: 'username',
    fold: 't1',
    cell: ({ username }) => <span className="font-strong">{username}</span>,
  },
  {
    key: 'last_login',
    title: 'Last login',
    sort: 'last_login',
    nowrap: true,
    fold: 't2',
    cell: ({ last_login: at }) => <InstantOrNever at={at} />,
  },
  STATUS,
  {
    key: 'password',
    title: 'Password',
    fold: 'v2',
    cell: ({ must_change_password }) =>
      must_change_password ? 'Must change password' : <span className="text-muted">Set by the cashier</span>,
  },
]

const POS_LIST: RecordList<PosUserRow, 'pos'> = {
  name: 'pos',
  caption: 'POS users',
  table: posUsers.datatable,
  exportAs: posUsers.export,
  columns: COLUMNS,
  rowKey: ({ guid }) => guid,
  rowName: ({ username }) => username,
}

interface MenuCallbacks {
  onDialog: (dialog: PosUserDialogState) => void
  /** Reads the list again, also when an answer was lost. */
  onChanged: () => void
}

/** Returns the actions for a POS user in its current state. */
function posUserMenu(row: PosUserRow, { onDialog, onChanged }: MenuCallbacks): MenuItem[] {
  // The request names both branch and user (ACL-04).
  const branchAndUser = { params: { branch: row.branch_guid, id: row.guid } }
  const record = {
    noun: 'POS user',
    name: row.username,
    isInactive: row.status === 'Inactive',
    deactivate: () => call(pos.deactivatePosUser, branchAndUser),
    reactivate: () => call(pos.reactivatePosUser, branchAndUser),
    remove: () => call(pos.posUsers.remove, { params: { id: row.guid } }),
    consequence: `It is logged out at once and cannot log in until it is re-activated.${holdsWarning(undefined)}`,
    isUndoable: true,
    onChanged,
  } as const
  const reset = async () => {
    const done = await resetPosPassword(row)
    onChanged()
    if (done) onDialog({ open: 'temporary', user: row, password: done.answer.temporary_password })
  }
  return [
    { label: 'Edit', onSelect: () => onDialog({ open: 'edit', user: row }) },
    { label: 'Change password', onSelect: () => onDialog({ open: 'password', user: row }) },
    { label: 'Reset password', onSelect: () => void reset() },
    statusItem(record),
    deleteItem(record, row.last_login ? 'It has logged in before' : undefined),
  ]
}

/** Resets the password and returns the generated one, which is never shown again. */
const resetPosPassword = ({ guid, username }: PosUserRow) =>
  runAction({
    question: {
      title: `Reset the password of ${username}?`,
      consequence: 'It is logged out at once. You get a temporary password to read to the cashier.',
      act: 'Reset password',
      dismiss: 'Cancel',
      destructive: true,
    },
    run: () => call(pos.resetPosPassword, { params: { id: guid } }),
    done: `Password of ${username} reset`,
  })
