import { useState } from 'react'
import type { ViewList } from '../../contract/viewLists.ts'
import type { View } from '../../contract/views.ts'
import type { TableState } from '../../domain/tableState.ts'
import { defaultViewState } from '../../domain/viewState.ts'
import { forgetColumns } from '../../state/columnChoice.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { lazyDialog } from '../lazy/lazyDialog.tsx'
import { useOffline } from '../connectivity/useOffline.ts'
import { tableStateOf, useOpenViewFromUrl } from '../list/views/useFollowView.ts'
import { defaultOf, type OpenView, useTableView, WHOLE_LIST } from './useTableView.ts'
import { columnsKey } from '../list/views/viewColumns.ts'
import { type ViewDialog, viewMenu } from './viewMenu.ts'

const SaveViewDialog = lazyDialog(
  async () => (await import('./SaveViewDialog.tsx')).SaveViewDialog,
  ({ onClose }) => onClose,
)

interface Props {
  list: ViewList
  state: TableState
  onState: (next: Partial<TableState>, replace?: boolean) => void
}

/** The views of a list, beside its search: which one is open, the others, and what can be done with them. */
export function ListViews({ list, state, onState }: Props) {
  const offline = useOffline()
  const [dialog, setDialog] = useState<ViewDialog>()
  const view = useTableView(list, state)
  const { all, open, edited, missing } = view
  const show = (chosen: OpenView, replace = false) => {
    forgetColumns(columnsKey(list, chosen.saved && chosen.id))
    onState(tableStateOf(chosen), replace)
  }
  const whole = () => onState({ ...defaultViewState(list), view: defaultOf(all) ? WHOLE_LIST : undefined })
  useOpenViewFromUrl(list, state, view, (chosen, replace) => onState(tableStateOf(chosen), replace))
  const saved = (next: View) => onState({ view: next.guid }, true)
  return (
    <>
      <div className="field views">
        <span className="legend" aria-hidden="true">
          View
        </span>
        <Menu
          label={`View: ${open?.name ?? 'All'}${edited ? ', edited' : ''}`}
          triggerClass="btn"
          trigger={<Trigger name={open?.name ?? 'All'} edited={edited} />}
          items={() => viewMenu(list, { view, state, offline }, { show, whole, onDialog: setDialog, onSaved: saved })}
        />
      </div>
      {edited && open && (
        <Button variant="quiet" onClick={() => show(open)}>
          Reset
        </Button>
      )}
      {missing && <Missing onClose={whole} />}
      {dialog && <SaveViewDialog {...dialog} list={list} onSaved={saved} onClose={() => setDialog(undefined)} />}
    </>
  )
}

const Trigger = ({ name, edited }: { name: string; edited: boolean }) => (
  <>
    <span className="name">{name}</span>
    {edited && <small className="muted">edited</small>}
    <Icon name="down" small />
  </>
)

const Missing = ({ onClose }: { onClose: () => void }) => (
  <div className="view-gone" role="status">
    <Icon name="alert" small />
    <span>This view is not there any more, or not shared with you. This is the list without it.</span>
    <Button variant="quiet" onClick={onClose}>
      Close
    </Button>
  </div>
)
