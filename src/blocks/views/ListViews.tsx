import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { View, ViewList } from '../../contract/views.ts'
import type { TableState } from '../../domain/tableState.ts'
import { defaultViewState, openedState, showsSame } from '../../domain/viewState.ts'
import { forgetColumns } from '../../state/columnChoice.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { FieldBox } from '../../ui/form/CheckboxField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { useOffline } from '../connectivity/useOffline.ts'
import { lazyDialog } from '../lazy/lazyDialog.tsx'
import { columnsKey } from './savedViews.ts'
import {
  defaultOf,
  isBuiltInDefault,
  serverDate,
  shows,
  useTableView,
  WHOLE_LIST,
  type OpenView,
  type TableView,
} from './useTableView.ts'
import { viewMenu, type ViewDialog } from './viewMenu.ts'

const SaveViewDialog = lazyDialog(
  async () => (await import('./SaveViewDialog.tsx')).SaveViewDialog,
  ({ onClose }) => onClose,
)

interface Props {
  list: ViewList
  state: TableState
  onState: (next: Partial<TableState>, replace?: boolean) => void
  hiddenOnPhone: boolean
}

/** The views of a list, beside its search: which one is open, the others, and what can be done with them. Its name never pushes the filters away. */
export function ListViews({ list, state, onState, hiddenOnPhone }: Props) {
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
      <FieldBox className={`max-w-[13rem] ${hiddenOnPhone ? 'phone:hidden' : 'phone:max-w-none phone:basis-full'}`}>
        <span className="font-label" aria-hidden="true">
          View
        </span>
        <Menu
          label={`View: ${open?.name ?? 'All'}${edited ? ', edited' : ''}`}
          triggerClass={`${buttonClass({ spread: true })} max-w-[16rem] min-w-[9rem] phone:max-w-none`}
          trigger={<Trigger name={open?.name ?? 'All'} edited={edited} />}
          items={() => viewMenu(list, { view, state, offline }, { show, whole, onDialog: setDialog, onSaved: saved })}
        />
      </FieldBox>
      {edited && open && (
        <Button variant="quiet" className="phone:basis-full" onClick={() => show(open)}>
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
    <span className="truncate">{name}</span>
    {edited && <small className="text-muted">edited</small>}
    <Icon drawing={ICONS.down} small />
  </>
)

const Missing = ({ onClose }: { onClose: () => void }) => (
  <div className="order-1 flex basis-full items-center gap-2" role="status">
    <Icon drawing={ICONS.alert} small />
    <span>This view was deleted, or is no longer shared with you. The list is shown without it.</span>
    <Button variant="quiet" onClick={onClose}>
      Close
    </Button>
  </div>
)

/** Opens a view in the URL, which stays the one place of the state. */
type Open = (view: OpenView, replace: boolean) => void

const tableStateOf = ({ id, state }: OpenView) => ({ ...openedState(state, serverDate()), page: 1, view: id })

const isWholeOf = (list: ViewList) => (state: TableState) =>
  showsSame(state, defaultViewState(list)) && state.page === 1

/**
 * A link that names a view alone is written out, and a list that is opened with nothing in its URL opens with the default. Both take
 * the place of the step that led here: Back leaves the list. Each happens once, so that what is cleared by hand stays so.
 */
function useOpenViewFromUrl(list: ViewList, state: TableState, view: TableView, onOpen: Open): void {
  const { all, open, known } = view
  const isWhole = isWholeOf(list)
  const isLatest = open !== undefined && isBuiltInDefault(open) && shows(open, state)
  const isBare = state.view === undefined ? isWhole(state) : isLatest && state.page === 1
  const arriving = useRef(true)
  const writtenOut = useRef<string>(undefined)
  const follow = useEffectEvent(() => {
    if (open && writtenOut.current !== open.id) {
      writtenOut.current = open.id
      if (isWhole(state) && !isWhole({ ...state, ...tableStateOf(open) })) onOpen(open, true)
    }
    if (!isBare) arriving.current = false
    if (!arriving.current || !known) return
    arriving.current = false
    const usual = defaultOf(all)
    if (usual && usual.id !== state.view) onOpen(usual, true)
  })
  const place = JSON.stringify([state.view, state.q, state.filter, state.page])
  const isThere = open !== undefined
  useEffect(() => follow(), [place, known, isThere])
}
