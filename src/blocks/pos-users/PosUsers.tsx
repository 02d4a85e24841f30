import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Branch } from '../../contract/branches.ts'
import type { PosUserRow } from '../../contract/posUsers.ts'
import { UNUSED_DAYS } from '../../contract/tables/lists.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { usePermission, useUser } from '../accounts/useUser.ts'
import { useActivityMenuItem } from '../activity/ActivityLink.tsx'
import { NeedsConnection } from '../connectivity/OnlineLink.tsx'
import { needsConnection, useOffline } from '../connectivity/useOffline.ts'
import { isNarrowed, ListFilters, StatusFilter, filterField } from '../tables/ListFilters.tsx'
import { ListSearch } from '../tables/ListSearch.tsx'
import { ExportButton, hasNoRow, ImportLink } from '../tables/ListTools.tsx'
import { RecordTable } from '../tables/RecordTable.tsx'
import { useRecordList } from '../tables/useRecordList.ts'
import { posUserMenu } from './posUserActions.ts'
import { PosUserDialog, type PosUserDialogState } from './PosUserDialog.tsx'
import { POS_LIST, type PosTable } from './posUserList.tsx'

interface Props extends PosTable {
  branch: Pick<Branch, 'guid' | 'name'>
  /** There may be more or fewer of them now. */
  onCount?: () => void
}

/** The cashiers of one branch: a tab of the branch, and a part of the branch's own profile (rule 7.6). */
export function PosUsers({ branch, state, onState, onCount }: Props) {
  const [dialog, setDialog] = useState<PosUserDialogState>()
  const offline = useOffline()
  const mayCreate = usePermission('pos', 'create')
  const mayEdit = usePermission('pos', 'edit')
  const read = useRecordList(POS_LIST, state, { branch: branch.guid })
  const changed = () => {
    read.retry()
    onCount?.()
  }
  const create = { offline, onClick: () => setDialog({ open: 'create' }) }
  // Then the filled button is in the middle of the list.
  const isEmpty = hasNoRow(read) && !isNarrowed(state)
  const filter = filterField({ state, onState })
  const activity = useActivityMenuItem('pos_user')
  const menu = (row: PosUserRow) => [
    ...needsConnection(offline, posUserMenu(row, { onDialog: setDialog, onChanged: changed })),
    ...activity(row.guid),
  ]
  return (
    <>
      <ListFilters
        list={POS_LIST}
        {...{ state, onState }}
        tools={
          <>
            <ExportButton endpoint={POS_LIST.exportAs} query={read.query} nothing={hasNoRow(read)} />
            {mayCreate && <ImportLink to="/imports/pos-users" />}
            {mayCreate && <CreateButton {...create} variant={isEmpty ? 'plain' : 'primary'} />}
          </>
        }
      >
        <ListSearch label="Username" q={state.q} onSearch={(q) => onState({ q, page: 1 }, true)} />
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
        {...{ state, onState, read }}
        {...(mayEdit ? { rowMenu: menu } : {})}
        empty={
          <EmptyState
            icon={ICONS.user}
            title="No POS user yet"
            text="A POS user logs in on the tab Point of sale and redeems vouchers. Create one for each till or cashier."
            actions={mayCreate && <CreateButton {...create} variant="primary" />}
          />
        }
        noMatch={{ title: 'No POS user matches' }}
      />
      <PosUserDialog {...{ dialog, branch }} onDialog={setDialog} onChanged={changed} />
    </>
  )
}

interface CreateButtonProps {
  offline: boolean
  variant: 'plain' | 'primary'
  onClick: () => void
}

const CreateButton = ({ offline, variant, onClick }: CreateButtonProps) => (
  <>
    <NeedsConnection />
    <Button
      icon={ICONS.plus}
      variant={variant}
      data-stays={variant === 'primary' || undefined}
      aria-disabled={offline || undefined}
      onClick={onClick}
    >
      Create POS user
    </Button>
  </>
)

/** A branch looks after its own POS users, below its profile (rule 7.6); nothing for anybody else. */
export function OwnPosUsers() {
  const { type, branch_guid, branch_name } = useUser()
  const state = useSearch({ from: '/_app/profile/' })
  const navigate = useNavigate({ from: '/profile/' })
  if (type !== 'Branch Merchant' || branch_guid === null) return null
  return (
    <section className="mt-6" aria-labelledby="own-pos-users">
      <h2 id="own-pos-users" className="mb-3">
        POS users
      </h2>
      <PosUsers
        branch={{ guid: branch_guid, name: branch_name ?? 'this branch' }}
        state={state}
        onState={(next, replace = false) =>
          void navigate({ search: (now) => ({ ...now, ...next }), replace, resetScroll: false })
        }
      />
    </section>
  )
}
